package dev.askgateway.indexing;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits that double up to a ceiling, each somewhere in its upper half so that retries spread out. */
record Backoff(Duration base, Duration ceiling, RandomGenerator random) {

  /** The wait after that many failures in a row (from 1), never above the ceiling. */
  Duration after(int failures) {
    long most = ceiling.toMillis();
    // 40 doublings of a millisecond are 34 years: more only overflows.
    int doublings = Math.min(Math.max(failures, 1) - 1, 40);
    long full = base.toMillis() > (most >> doublings) ? most : base.toMillis() << doublings;
    return Duration.ofMillis(full - random.nextLong(full / 2 + 1));
  }
}
