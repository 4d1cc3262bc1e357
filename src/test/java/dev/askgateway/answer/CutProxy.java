package dev.askgateway.answer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A way to a server that can be closed, and that can let a request through and lose its reply: the
 * connection breaks once the server has begun to answer.
 */
public final class CutProxy {
  private final Vertx vertx;
  private final URI target;
  private final String marker;
  private final AtomicInteger toDrop = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private volatile boolean silent;
  private NetServer server;

  private CutProxy(Vertx vertx, URI target, String marker) {
    this.vertx = vertx;
    this.target = target;
    this.marker = marker;
  }

  /** @param marker what a reply must hold to be lost, as {@link #dropReplies} asks */
  public static Future<CutProxy> start(Vertx vertx, URI target, String marker) {
    CutProxy proxy = new CutProxy(vertx, target, marker);
    proxy.server = vertx.createNetServer().connectHandler(proxy::connect);
    return proxy.server.listen(0, "127.0.0.1").map(proxy);
  }

  /** The address of the target, through this proxy. */
  public String through(String url) {
    URI address = URI.create(url);
    return url.replace(
        "@" + address.getHost() + ":" + address.getPort() + "/", "@127.0.0.1:" + port() + "/");
  }

  public int port() {
    return server.actualPort();
  }

  /** Loses so many replies that hold the marker. */
  public void dropReplies(int count) {
    toDrop.set(count);
  }

  public int dropped() {
    return dropped.get();
  }

  /** Cuts what is open and lets nobody in. */
  public void close() {
    closed = true;
    sockets.forEach(NetSocket::close);
  }

  public void open() {
    closed = false;
  }

  /** From now on nothing comes back, and nothing breaks. */
  public void silence() {
    silent = true;
  }

  private void connect(NetSocket client) {
    if (closed) {
      client.close();
      return;
    }
    sockets.add(client);
    client.closeHandler(gone -> sockets.remove(client));
    client.pause();
    vertx
        .createNetClient()
        .connect(target.getPort(), target.getHost())
        .onSuccess(upstream -> join(client, upstream))
        .onFailure(away -> client.close());
  }

  private void join(NetSocket client, NetSocket upstream) {
    client.closeHandler(gone -> {
      sockets.remove(client);
      upstream.close();
    });
    upstream.closeHandler(gone -> client.close());
    upstream.handler(bytes -> {
      if (toDrop.get() > 0 && holdsMarker(bytes)) {
        toDrop.decrementAndGet();
        dropped.incrementAndGet();
        client.close();
      } else if (!silent) {
        client.write(bytes);
      }
    });
    client.handler(upstream::write);
    client.resume();
  }

  private boolean holdsMarker(Buffer bytes) {
    return bytes.toString(StandardCharsets.ISO_8859_1).contains(marker);
  }
}
