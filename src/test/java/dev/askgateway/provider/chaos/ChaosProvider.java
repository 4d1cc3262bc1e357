package dev.askgateway.provider.chaos;

import dev.askgateway.provider.Wait;
import dev.askgateway.provider.chaos.Reply.Act;
import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model's server on a real socket that does exactly what it is told. The n-th call gets the n-th
 * reply, later ones the last.
 */
public final class ChaosProvider implements AutoCloseable {
  private static final List<String> KEY_HEADERS =
      List.of("authorization:", "x-api-key:", "x-goog-api-key:", "api-key:");

  /** A call as it came: on which connection, and its bytes. */
  public record Call(int connection, String head, String body) {}

  private final Vertx vertx;
  private final List<Reply> replies;
  private final boolean deaf;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Map<String, AtomicInteger> callsByKey = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger aborted = new AtomicInteger();
  private final Promise<Void> firstCall = Promise.promise();
  private final Promise<Void> firstAbort = Promise.promise();
  private NetServer server;
  private Socket unheard;

  private ChaosProvider(Vertx vertx, List<Reply> replies, boolean deaf) {
    this.vertx = vertx;
    this.replies = List.copyOf(replies);
    this.deaf = deaf;
  }

  public static ChaosProvider listen(Vertx vertx, NetServerOptions options, List<Reply> replies) {
    return new ChaosProvider(vertx, replies, false).bind(options);
  }

  public static ChaosProvider listen(Vertx vertx, Reply... replies) {
    return listen(vertx, new NetServerOptions(), List.of(replies));
  }

  /** Accepts connections and never says a word: over TLS the handshake stalls. */
  public static ChaosProvider deaf(Vertx vertx) {
    return new ChaosProvider(vertx, List.of(), true).bind(new NetServerOptions());
  }

  /** A port that is taken and refuses every connection. */
  public static ChaosProvider refusing(Vertx vertx) {
    ChaosProvider provider = new ChaosProvider(vertx, List.of(), true);
    provider.unheard = new Socket();
    try {
      provider.unheard.bind(new InetSocketAddress("127.0.0.1", 0)); // bound, and nobody listens
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
    return provider;
  }

  private ChaosProvider bind(NetServerOptions options) {
    server = vertx
        .createNetServer(new NetServerOptions(options).setTcpNoDelay(true).setHost("127.0.0.1"))
        .connectHandler(this::connected);
    Wait.on(server.listen(0));
    return this;
  }

  /** The address with this scheme, up to and without the operation. */
  public String baseUrl(String scheme) {
    int port = server == null ? unheard.getLocalPort() : server.actualPort();
    return scheme + "://127.0.0.1:" + port + "/v1";
  }

  public String baseUrl() {
    return baseUrl("http");
  }

  public List<Call> calls() {
    return calls;
  }

  /** Calls that came with this key. */
  public int calls(String key) {
    AtomicInteger count = callsByKey.get(key);
    return count == null ? 0 : count.get();
  }

  /** Connections so far. */
  public int connections() {
    return connections.get();
  }

  /** Connections that are open now. */
  public int open() {
    return open.get();
  }

  /** Replies that the caller did not wait to the end of. */
  public int aborted() {
    return aborted.get();
  }

  /** Completes when a call has come. */
  public Future<Void> firstCall() {
    return firstCall.future();
  }

  /** Completes when the caller has left a reply before its end. */
  public Future<Void> firstAbort() {
    return firstAbort.future();
  }

  /** Stops listening and closes every connection. */
  @Override
  public void close() {
    try {
      if (unheard != null) {
        unheard.close();
      } else {
        Wait.on(server.close());
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void connected(NetSocket socket) {
    Line line = new Line(socket, connections.getAndIncrement());
    open.incrementAndGet();
    socket.exceptionHandler(broken -> {}); // a caller that leaves is part of the play
    socket.closeHandler(closed -> line.closed());
    if (!deaf) {
      socket.handler(line::received);
    }
  }

  /** One connection. */
  private final class Line {
    private final NetSocket socket;
    private final int id;
    private Buffer received = Buffer.buffer();
    private boolean replying;
    private long timer = -1;

    private Line(NetSocket socket, int id) {
      this.socket = socket;
      this.id = id;
    }

    private void received(Buffer bytes) {
      received.appendBuffer(bytes);
      String text = received.toString("ISO-8859-1");
      int headEnd = text.indexOf("\r\n\r\n");
      if (headEnd < 0) {
        return;
      }
      String head = text.substring(0, headEnd);
      int end = headEnd + 4 + bodyBytes(head);
      if (received.length() >= end) {
        calls.add(new Call(id, head, received.getString(headEnd + 4, end)));
        callsByKey.computeIfAbsent(key(head), key -> new AtomicInteger()).incrementAndGet();
        received = received.getBuffer(end, received.length());
        replying = true;
        firstCall.tryComplete();
        play(replies.get(Math.min(turn.getAndIncrement(), replies.size() - 1)).acts(), 0);
      }
    }

    private void play(List<Act> acts, int index) {
      if (index == acts.size()) {
        replying = false;
        return;
      }
      Act act = acts.get(index);
      if (act instanceof Reply.Wait pause) {
        timer = vertx.setTimer(pause.millis(), fired -> play(acts, index + 1));
      } else if (act instanceof Reply.Again again) {
        socket.write(chunk(again.bytes()));
        timer = vertx.setTimer(again.millis(), fired -> play(acts, index));
      } else if (act instanceof Reply.Fin || act instanceof Reply.Rst) {
        replying = false;
        leave(act instanceof Reply.Rst);
      } else if (!(act instanceof Reply.Hold)) {
        socket.write(bytes(act)).onSuccess(written -> play(acts, index + 1));
      }
    }

    /** Closing without lingering throws away what is unsent and says so with a reset. */
    private void leave(boolean reset) {
      if (reset) {
        ((NetSocketInternal) socket)
            .channelHandlerContext()
            .channel()
            .config()
            .setOption(ChannelOption.SO_LINGER, 0);
      }
      socket.close();
    }

    private void closed() {
      vertx.cancelTimer(timer);
      open.decrementAndGet();
      if (replying) {
        replying = false;
        aborted.incrementAndGet();
        firstAbort.tryComplete();
      }
    }
  }

  private static Buffer bytes(Act act) {
    if (act instanceof Reply.Raw raw) {
      return raw.bytes();
    }
    return act instanceof Reply.Chunk piece ? chunk(piece.bytes()) : Buffer.buffer("0\r\n\r\n");
  }

  private static Buffer chunk(Buffer bytes) {
    return Buffer.buffer(Integer.toHexString(bytes.length()) + "\r\n")
        .appendBuffer(bytes)
        .appendString("\r\n");
  }

  private static int bodyBytes(String head) {
    return head.lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
        .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
        .findFirst()
        .orElse(0);
  }

  private static String key(String head) {
    for (String line : head.split("\r\n")) {
      for (String name : KEY_HEADERS) {
        if (line.toLowerCase(Locale.ROOT).startsWith(name)) {
          String value = line.substring(name.length()).strip();
          return value.startsWith("Bearer ") ? value.substring(7) : value;
        }
      }
    }
    return "";
  }
}
