package dev.askgateway.answer.rollout;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How nodes follow what operators change while they run.
 *
 * @param interval between two looks at what was changed
 * @param checkInterval between two looks how the arms of a rollout do
 * @param minAnswers least answers of each arm before they are compared
 * @param errorRate the chance that gates take back, in one stage, a candidate that is no worse
 */
public record RolloutConfig(
    Duration interval, Duration checkInterval, int minAnswers, double errorRate) {
  public RolloutConfig {
    Rule.range("rollout.interval", interval, Duration.ofMillis(10), Duration.ofMinutes(1));
    Rule.range(
        "rollout.checkInterval", checkInterval, Duration.ofMillis(10), Duration.ofMinutes(10));
    Rule.range("rollout.minAnswers", minAnswers, 20, 10_000);
    Rule.range("rollout.errorRate", errorRate, 0.0001, 0.5);
  }
}
