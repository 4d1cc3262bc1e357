package dev.askgateway.relay;

import dev.askgateway.core.Rule;
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
    Rule.range("stream.heartbeat", heartbeat, Duration.ofMillis(1), Duration.ofHours(1));
    Rule.range("stream.writeDeadline", writeDeadline, Duration.ofMillis(1), Duration.ofHours(1));
  }
}
