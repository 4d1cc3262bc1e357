package dev.askgateway.provider.route;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * When a model counts as down, and for how long.
 *
 * @param failures least failures within the window that open the breaker
 * @param share least share of failures among the calls of the window, above 0 to 1
 * @param window how far back calls count, up to twice of it
 * @param openFor how long an open breaker lets nobody in, before one call may probe
 * @param noAccessFor how long nobody asks after our account was refused
 * @param mostWait longest wait that upstream can ask for
 */
record HealthRules(
    int failures,
    double share,
    Duration window,
    Duration openFor,
    Duration noAccessFor,
    Duration mostWait) {

  static final HealthRules DEFAULT = new HealthRules(
      5,
      0.5,
      Duration.ofSeconds(10),
      Duration.ofSeconds(10),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60));

  HealthRules {
    Rule.range("health.failures", failures, 1, 1_000_000);
    Rule.range("health.share", share, 0, 1);
    Duration hour = Duration.ofHours(1);
    Rule.range("health.window", window, Duration.ofMillis(1), hour);
    Rule.range("health.openFor", openFor, Duration.ofMillis(1), hour);
    Rule.range("health.noAccessFor", noAccessFor, Duration.ZERO, hour);
    Rule.range("health.mostWait", mostWait, Duration.ZERO, hour);
  }
}
