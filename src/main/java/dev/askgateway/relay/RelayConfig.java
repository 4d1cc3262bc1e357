package dev.askgateway.relay;

import java.time.Duration;

/**
 * How streams are kept alive and when a reader is given up.
 *
 * @param heartbeat silence after which a comment is sent
 * @param writeDeadline longest time a reader may leave a full buffer undrained
 * @param compat which older clients are served besides
 */
public record RelayConfig(Duration heartbeat, Duration writeDeadline, Compat compat) {

  /** Extra parts for shipped clients. */
  public enum Compat {
    NONE,
    CLAIRE
  }

  public RelayConfig {
    require("stream.heartbeat", heartbeat);
    require("stream.writeDeadline", writeDeadline);
  }

  private static void require(String key, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be at least 1ms");
    }
  }
}
