package dev.askgateway.devservices;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Asks a Redis whether it is there, without a driver. */
final class RedisPing {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int TIMEOUT_MILLIS = 1000;

  private RedisPing() {}

  /** Whether it answers PING with PONG within a second. */
  static boolean answers(String host, int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII)
          .equals("+PONG");
    } catch (IOException notThere) {
      return false;
    }
  }

  /**
   * Returns when it answers.
   *
   * @throws DevServicesException when it does not within 20 s
   */
  static void await(String host, int port) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!answers(host, port)) {
      if (System.nanoTime() > deadline) {
        throw new DevServicesException("Redis does not answer on " + host + ":" + port + ".", null);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
