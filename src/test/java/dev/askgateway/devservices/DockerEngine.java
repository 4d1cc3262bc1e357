package dev.askgateway.devservices;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Finds out in a moment whether a Docker engine answers; Testcontainers alone takes much longer to say no. */
final class DockerEngine {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final byte[] PING =
      "GET /_ping HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private DockerEngine() {}

  /** The address of the engine: {@code DOCKER_HOST}, else the usual socket. */
  static String host(Map<String, String> environment) {
    return environment.getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock");
  }

  static boolean answers(String host) {
    var asked = new CompletableFuture<Boolean>();
    var asking = new Thread(() -> asked.complete(ping(host)), "docker-ping");
    asking.setDaemon(true);
    asking.start();
    try {
      return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException silent) {
      asking.interrupt(); // closes the channel it waits on
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean ping(String host) {
    try {
      var address = address(URI.create(host));
      if (address == null) {
        return false;
      }
      try (var channel = open(address)) {
        channel.connect(address);
        channel.write(ByteBuffer.wrap(PING));
        var answer = ByteBuffer.allocate(12);
        while (answer.hasRemaining() && channel.read(answer) >= 0) {
          // reads on until "HTTP/1.x NNN" is whole
        }
        return isHttp(new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII));
      }
    } catch (IOException | RuntimeException silent) {
      return false;
    }
  }

  /** An engine behind TLS answers plain HTTP with a 400, and that is an answer too. */
  private static boolean isHttp(String answer) {
    return answer.startsWith("HTTP/1.") && (answer.endsWith(" 200") || answer.endsWith(" 400"));
  }

  private static SocketChannel open(SocketAddress address) throws IOException {
    return address instanceof UnixDomainSocketAddress
        ? SocketChannel.open(StandardProtocolFamily.UNIX)
        : SocketChannel.open();
  }

  private static @Nullable SocketAddress address(URI host) {
    return switch (String.valueOf(host.getScheme())) {
      case "unix" -> UnixDomainSocketAddress.of(Path.of(host.getPath()));
      case "tcp", "http", "https" ->
        new InetSocketAddress(host.getHost(), host.getPort() < 0 ? 2375 : host.getPort());
      default -> null;
    };
  }
}
