package dev.askgateway.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class RedisLinkTest {

  /** Speaks as much of Redis as a client needs, and resets the first connection under a command. */
  private static final class Resetting implements AutoCloseable {
    private final ServerSocket server;
    private boolean reset;

    Resetting() throws IOException {
      server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
      Thread thread = new Thread(this::accept, "resetting");
      thread.setDaemon(true);
      thread.start();
    }

    private void accept() {
      while (!server.isClosed()) {
        try (Socket client = server.accept()) {
          serve(client);
        } catch (IOException gone) {
          // the next one
        }
      }
    }

    private void serve(Socket client) throws IOException {
      InputStream in = client.getInputStream();
      byte[] bytes = new byte[4096];
      for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
        String command = new String(bytes, 0, read, StandardCharsets.ISO_8859_1);
        if (command.contains("HELLO")) {
          client
              .getOutputStream()
              .write("-ERR unknown command\r\n".getBytes(StandardCharsets.US_ASCII));
        } else if (!reset) {
          reset = true;
          client.setSoLinger(true, 0); // no goodbye: a reset
          return;
        } else {
          client.getOutputStream().write("+PONG\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
    }

    @Override
    public void close() {
      try {
        server.close();
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }
  }

  @Test
  @DisplayName(
      "commands under way when Redis resets their connection fail, and the next has another")
  void reset(Vertx vertx) throws IOException {
    try (Resetting server = new Resetting()) {
      RedisLink link = new RedisLink(
          vertx,
          new RedisConfig(
              "redis://127.0.0.1:" + server.server.getLocalPort(),
              Duration.ofSeconds(10),
              Duration.ofMinutes(5)));
      List<Request> pings =
          IntStream.range(0, 3).mapToObj(one -> Request.cmd(Command.PING)).toList();

      Future<?> lost = link.batch(pings).otherwise(List.of());

      assertThat(Wait.on(lost)).isEqualTo(List.of());
      Wait.on(link.check());
      Wait.on(link.close());
    }
  }
}
