package dev.askgateway.relay.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.TokenEvent.Text;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Wait;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ChunkRelayTest {
  private static final Answering ANSWERING = new Answering("chatcmpl-1", 5, "m");

  private static Socket ask(Vertx vertx, Duration writeDeadline, Consumer<ChunkRelay> script)
      throws IOException {
    RelayConfig config =
        new RelayConfig(Duration.ofSeconds(10), writeDeadline, RelayConfig.Compat.NONE);
    HttpServer server = Wait.on(vertx
        .createHttpServer()
        .requestHandler(request -> script.accept(new ChunkRelay(
            vertx,
            request,
            config,
            Duration.ofSeconds(15),
            RelayListener.NONE,
            new ChunkEncoder(ANSWERING, false))))
        .listen(0, "127.0.0.1"));
    Socket socket = new Socket();
    socket.setReceiveBufferSize(8 * 1024);
    socket.connect(new InetSocketAddress("127.0.0.1", server.actualPort()));
    socket.setSoTimeout(15_000);
    socket
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String line(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = socket.getInputStream().read(); next != '\n'; ) {
      assertThat(next).isNotNegative();
      line.append((char) next);
      next = socket.getInputStream().read();
    }
    return line.toString().strip();
  }

  /** The next chunk of HTTP's chunked coding. */
  private static String chunk(Socket socket) throws IOException {
    int size = Integer.parseInt(line(socket), 16);
    String body = new String(socket.getInputStream().readNBytes(size), StandardCharsets.UTF_8);
    assertThat(line(socket)).isEmpty();
    return body;
  }

  private static void skipHead(Socket socket) throws IOException {
    while (!line(socket).isEmpty()) {
      // to the blank line
    }
  }

  @Test
  @DisplayName("all that comes in one turn of the loop goes out as one write")
  void batches(Vertx vertx) throws IOException {
    Promise<ChunkRelay> open = Promise.promise();
    try (Socket socket = ask(vertx, Duration.ofSeconds(10), relay -> {
      relay.write(new Text("one"));
      relay.write(new Text("two"));
      relay.write(new Text("three"));
      open.complete(relay);
    })) {
      skipHead(socket);
      assertThat(chunk(socket)).contains("\"one\"", "\"two\"", "\"three\"");
      Wait.onLoop(vertx, () -> open.future().onSuccess(relay -> relay.end(Usage.NONE)));
      assertThat(chunk(socket)).contains("\"stop\"").endsWith("data: [DONE]\n\n");
    }
  }

  private static void fill(ChunkRelay relay) {
    for (int i = 0; i < 10_000 && !relay.full(); i++) {
      relay.write(new Text("x".repeat(20_000)));
    }
  }

  @Test
  @DisplayName("a reader that does not read fills it, one that reads again drains it")
  void drains(Vertx vertx) throws IOException {
    Promise<Boolean> filled = Promise.promise();
    Promise<Void> drained = Promise.promise();
    try (Socket socket = ask(vertx, Duration.ofSeconds(15), relay -> {
      relay.drainHandler(drained::tryComplete);
      fill(relay);
      filled.complete(relay.full());
    })) {
      assertThat(Wait.on(filled.future())).isTrue();
      skipHead(socket);
      // Its last piece may be read before the loop has told of the drain: then silence follows, no
      // piece.
      while (!drained.future().isComplete()) {
        String chunk = chunk(socket);
        assertThat(chunk.contains("xxx") || drained.future().isComplete()).isTrue();
      }
    }
  }

  @Test
  @DisplayName("a reader that never reads is given up")
  void givesUp(Vertx vertx) throws IOException {
    Promise<Void> closed = Promise.promise();
    try (Socket socket = ask(vertx, Duration.ofMillis(100), relay -> {
      relay.closeHandler(closed::complete);
      fill(relay);
      // What the kernel takes yet drains it: it is filled again until nothing is taken any more.
      relay.drainHandler(() -> fill(relay));
    })) {
      Wait.on(closed.future());
      assertThat(socket.isConnected()).isTrue();
    }
  }
}
