package dev.askgateway.provider.gate;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Waits before a model is asked again: exponential with full jitter, so that those who failed together
 * do not come back together.
 *
 * @param base most of the first wait; each further one may be twice as long
 * @param most most of any wait
 * @param mostAsked longest wait upstream may ask for that is still waited for
 * @param random shared by all event loops
 */
public record Backoff(Duration base, Duration most, Duration mostAsked, RandomGenerator random) {
  private static final int MOST_DOUBLINGS = 20;

  public static final Backoff DEFAULT = new Backoff(
      Duration.ofMillis(100),
      Duration.ofSeconds(2),
      Duration.ofSeconds(10),
      () -> ThreadLocalRandom.current().nextLong());

  /** The wait before a repeat, the first one being 0. */
  Duration delay(int repeat) {
    long doubled = base.toNanos() << Math.min(repeat, MOST_DOUBLINGS);
    return Duration.ofNanos(random.nextLong(Math.min(doubled, most.toNanos()) + 1));
  }
}
