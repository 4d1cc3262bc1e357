package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How often a gateway looks whether what is written of money agrees.
 *
 * @param interval zero: never
 */
public record ReconcileConfig(Duration interval) {
  public ReconcileConfig {
    if (!interval.isZero()) {
      Rule.range("reconcile.interval", interval, Duration.ofSeconds(1), Duration.ofDays(7));
    }
  }
}
