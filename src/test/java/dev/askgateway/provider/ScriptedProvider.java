package dev.askgateway.provider;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An upstream on a real socket that says exactly the bytes it is told. The n-th request gets the n-th
 * script, later ones the last.
 */
public final class ScriptedProvider {
  public static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** A request as it came: which connection, and its bytes. */
  public record Request(int connection, String head, String body) {}

  private final Vertx vertx;
  private final List<Consumer<Exchange>> scripts;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger count = new AtomicInteger();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Promise<Void>> closed = new CopyOnWriteArrayList<>();
  private NetServer server;

  private ScriptedProvider(Vertx vertx, List<Consumer<Exchange>> scripts) {
    this.vertx = vertx;
    this.scripts = scripts;
  }

  public static ScriptedProvider listen(Vertx vertx, List<Consumer<Exchange>> scripts) {
    ScriptedProvider provider = new ScriptedProvider(vertx, scripts);
    provider.server = vertx
        .createNetServer(new NetServerOptions().setTcpNoDelay(true).setHost("127.0.0.1"))
        .connectHandler(provider::connected);
    Wait.on(provider.server.listen(0));
    return provider;
  }

  public static ScriptedProvider listen(Vertx vertx, Consumer<Exchange> script) {
    return listen(vertx, List.of(script));
  }

  /** A whole answer of these body parts, each its own HTTP chunk, then a clean end. */
  public static Consumer<Exchange> answer(String... parts) {
    return exchange -> {
      exchange.write(HEAD);
      for (String part : parts) {
        exchange.chunk(part);
      }
      exchange.endBody();
    };
  }

  /** A response with another status. */
  public static Consumer<Exchange> status(int status, String headers, String body) {
    return exchange -> exchange.write("HTTP/1.1 " + status + " X\r\n" + headers + "Content-Length: "
        + Buffer.buffer(body).length() + "\r\n\r\n" + body);
  }

  /** Stops listening and closes every connection, whatever it waits for. */
  public void hangUp() {
    Wait.on(server.close());
  }

  public String baseUrl() {
    return "http://127.0.0.1:" + server.actualPort() + "/v1";
  }

  public List<Request> requests() {
    return requests;
  }

  public int connections() {
    return connections.get();
  }

  /** Completes when the client has closed the n-th connection. */
  public Future<Void> closed(int connection) {
    return closed.get(connection).future();
  }

  private void connected(NetSocket socket) {
    int id = connections.getAndIncrement();
    Promise<Void> gone = Promise.promise();
    closed.add(gone);
    socket.closeHandler(ended -> gone.tryComplete());
    socket.exceptionHandler(broken -> {}); // a client that leaves is part of the scripts
    Buffer[] received = {Buffer.buffer()};
    socket.handler(bytes -> {
      received[0].appendBuffer(bytes);
      received[0] = serve(id, socket, received[0]);
    });
  }

  /** Answers the request if it is complete; gives back what is left of the bytes. */
  private Buffer serve(int id, NetSocket socket, Buffer received) {
    String text = received.toString("ISO-8859-1");
    int headEnd = text.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      return received;
    }
    String head = text.substring(0, headEnd);
    int bodyBytes = head.lines()
        .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
        .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
        .findFirst()
        .orElse(0);
    int end = headEnd + 4 + bodyBytes;
    if (received.length() < end) {
      return received;
    }
    requests.add(new Request(id, head, received.getString(headEnd + 4, end)));
    int turn = Math.min(count.getAndIncrement(), scripts.size() - 1);
    scripts.get(turn).accept(new Exchange(socket));
    return received.getBuffer(end, received.length());
  }

  /** The server's side of one request. */
  public final class Exchange {
    private final NetSocket socket;

    private Exchange(NetSocket socket) {
      this.socket = socket;
    }

    public Future<Void> write(String text) {
      return socket.write(text);
    }

    public Future<Void> chunk(String text) {
      return chunk(Buffer.buffer(text));
    }

    public Future<Void> chunk(Buffer bytes) {
      return socket.write(Buffer.buffer(Integer.toHexString(bytes.length()) + "\r\n")
          .appendBuffer(bytes)
          .appendString("\r\n"));
    }

    /** Writes the pieces as chunks, each a moment after the one before, then ends the body. */
    public void pieces(List<Buffer> pieces) {
      if (pieces.isEmpty()) {
        endBody();
        return;
      }
      chunk(pieces.get(0))
          .onSuccess(
              written -> vertx.setTimer(1, fired -> pieces(pieces.subList(1, pieces.size()))));
    }

    public Future<Void> endBody() {
      return socket.write("0\r\n\r\n");
    }

    public Future<Void> close() {
      return socket.close();
    }
  }
}
