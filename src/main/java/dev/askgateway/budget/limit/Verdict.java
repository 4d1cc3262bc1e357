package dev.askgateway.budget.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What became of a claim.
 *
 * @param remaining tokens that are left; 0 without a limit of the rate
 * @param reset until the bucket is full again
 * @param retryAfter until another try can help; zero for what was admitted
 */
public record Verdict(Outcome outcome, long remaining, Duration reset, Duration retryAfter) {
  /** Nobody knows when a running request ends. */
  private static final Duration WHEN_ONE_ENDS = Duration.ofSeconds(1);

  /** The script answers with these names. */
  public enum Outcome {
    ADMITTED,
    /** The bucket is empty. */
    RATE,
    /** As many of the owner's requests run as may. */
    CONCURRENCY
  }

  public boolean isAdmitted() {
    return outcome == Outcome.ADMITTED;
  }

  /**
   * The verdict over a bucket.
   *
   * @param level what is missing in it, as the time that takes to come back
   */
  static Verdict of(Outcome outcome, Limit limit, long level) {
    long period = limit.periodMicros();
    long room = limit.burst() * period - level;
    Duration wait =
        switch (outcome) {
          case ADMITTED -> Duration.ZERO;
          case RATE -> Duration.of(period - room, ChronoUnit.MICROS);
          case CONCURRENCY -> WHEN_ONE_ENDS;
        };
    return new Verdict(
        outcome, period == 0 ? 0 : room / period, Duration.of(level, ChronoUnit.MICROS), wait);
  }
}
