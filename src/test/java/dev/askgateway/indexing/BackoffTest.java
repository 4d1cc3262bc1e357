package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest {

  @Test
  @DisplayName("waits double, spread over their upper half, and never pass the ceiling")
  void doublesUpToTheCeiling() {
    var random = new Random(3);
    for (int round = 0; round < 2_000; round++) {
      long base = 1 + random.nextInt(5_000);
      long ceiling = base + random.nextInt(600_000);
      int failures = random.nextInt(200);
      var backoff = new Backoff(
          Duration.ofMillis(base), Duration.ofMillis(ceiling), new SplittableRandom(round));

      long wait = backoff.after(failures).toMillis();

      double full = Math.min(ceiling, base * Math.pow(2, Math.min(Math.max(failures, 1) - 1, 40)));
      assertThat((double) wait).isBetween(Math.floor(full / 2), full);
    }
  }

  @Test
  @DisplayName("two that failed together do not come back together")
  void spreads() {
    var backoff =
        new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), new SplittableRandom(1));
    assertThat(java.util.stream.IntStream.range(0, 50)
            .mapToObj(i -> backoff.after(9))
            .distinct())
        .hasSizeGreaterThan(40);
  }
}
