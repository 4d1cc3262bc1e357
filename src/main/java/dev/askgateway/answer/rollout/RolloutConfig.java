package dev.askgateway.answer.rollout;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How nodes follow what operators change while they run.
 *
 * @param interval between two looks at what was changed
 */
public record RolloutConfig(Duration interval) {
  public RolloutConfig {
    Rule.range("rollout.interval", interval, Duration.ofMillis(10), Duration.ofMinutes(1));
  }
}
