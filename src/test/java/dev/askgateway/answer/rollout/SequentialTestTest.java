package dev.askgateway.answer.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.rollout.SequentialTest.Count;
import dev.askgateway.answer.rollout.SequentialTest.Mean;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The test of a difference")
class SequentialTestTest {
  private static final double ERROR = 0.05;
  private static final int RUNS = 1_000;
  private static final int ANSWERS = 5_000;
  private static final int LOOK_EVERY = 20;

  private final SequentialTest test = new SequentialTest(ERROR, 100);

  /** Two arms that fill up, a look at them again and again. */
  private final class Arms {
    private final Random random;
    private final double share;
    private long candidateHits;
    private long candidateOf;
    private long controlHits;
    private long controlOf;

    private Arms(long seed, double share) {
      this.random = new Random(seed);
      this.share = share;
    }

    /** When it is called larger, in answers, or the end. */
    private int called(double candidate, double control, double margin) {
      for (int answers = 1; answers <= ANSWERS; answers++) {
        if (random.nextDouble() < share) {
          candidateOf++;
          candidateHits += random.nextDouble() < candidate ? 1 : 0;
        } else {
          controlOf++;
          controlHits += random.nextDouble() < control ? 1 : 0;
        }
        if (answers % LOOK_EVERY == 0
            && test.isLarger(
                new Count(candidateHits, candidateOf), new Count(controlHits, controlOf), margin)) {
          return answers;
        }
      }
      return ANSWERS + 1;
    }
  }

  private long calls(double share, double candidate, double control, double margin, int within) {
    return LongStream.range(0, RUNS)
        .filter(seed -> new Arms(seed, share).called(candidate, control, margin) <= within)
        .count();
  }

  @ParameterizedTest(name = "{0} of the accounts, {1} against {2} with a margin of {3}")
  @CsvSource({
    "0.05, 0.01, 0.01, 0",
    "0.05, 0.05, 0.05, 0",
    "0.25, 0.02, 0.02, 0",
    "0.5, 0.3, 0.3, 0",
    "0.05, 0.03, 0.01, 0.02",
    "0.5, 0.015, 0.01, 0.005"
  })
  @DisplayName("calls what is no larger so seldom as it says, though it looks 250 times")
  void falseCalls(double share, double candidate, double control, double margin) {
    assertThat(calls(share, candidate, control, margin, ANSWERS)).isLessThan((long) (ERROR * RUNS));
  }

  @ParameterizedTest(name = "{0} of the accounts, {1} against {2}, within {3}")
  @CsvSource({"0.05, 0.5, 0.02, 3000", "0.25, 0.2, 0.05, 3000", "0.5, 0.1, 0.02, 3000"})
  @DisplayName("finds what is much larger in nearly every run")
  void power(double share, double candidate, double control, int within) {
    assertThat(calls(share, candidate, control, 0, within)).isGreaterThan((long) (0.99 * RUNS));
  }

  @Test
  @DisplayName("calls nothing before each side has the least number of answers")
  void tooFew() {
    assertThat(test.isLarger(new Count(99, 99), new Count(0, 100_000), 0)).isFalse();
    assertThat(test.isLarger(new Count(100, 100), new Count(0, 99), 0)).isFalse();
    assertThat(test.isLarger(new Count(100, 100), new Count(0, 100), 0)).isTrue();
    assertThat(test.isLarger(new Count(99, 99), 0.01)).isFalse();
    assertThat(test.isLarger(new Count(100, 100), 0.01)).isTrue();
    assertThat(test.isLarger(new Mean(99, 9, 0), new Mean(1_000, 1, 0), 1)).isFalse();
    assertThat(test.isLarger(new Mean(100, 9, 0), new Mean(1_000, 1, 0), 1)).isTrue();
  }

  /** That once it holds for a number it holds for every larger one. */
  private static void isMonotone(LongPredicate called, long to) {
    long first = LongStream.rangeClosed(0, to).filter(called).findFirst().orElseThrow();
    assertThat(first).isPositive();
    assertThat(LongStream.rangeClosed(first, to)).allMatch(called::test);
  }

  @Test
  @DisplayName("calls no better candidate larger where it does not call a worse one")
  void monotone() {
    isMonotone(hits -> test.isLarger(new Count(hits, 500), new Count(30, 3_000), 0.01), 500);
    isMonotone(hits -> test.isLarger(new Count(hits, 500), 0.01), 500);
    isMonotone(
        mean -> test.isLarger(new Mean(500, mean, 900), new Mean(3_000, 100, 900), 1.15), 400);
  }

  @Test
  @DisplayName("never calls equal arms, smaller ones, or what is within the margin or the factor")
  void within() {
    for (int of = 100; of < 100_000_000; of *= 10) {
      assertThat(test.isLarger(new Count(of / 10, of), new Count(of / 10, of), 0))
          .isFalse();
      assertThat(test.isLarger(new Count(of / 20, of), new Count(of / 10, of), 0))
          .isFalse();
      assertThat(test.isLarger(new Count(of / 10, of), new Count(of / 11, of), 0.02))
          .isFalse();
      assertThat(test.isLarger(new Count(of / 100, of), 0.0101)).isFalse();
      assertThat(test.isLarger(new Mean(of, 115, 4), new Mean(of, 100, 4), 1.15))
          .isFalse();
    }
    assertThat(test.isLarger(new Mean(1_000, 0, 0), new Mean(1_000, 0, 0), 1.15))
        .isFalse();
  }

  @Test
  @DisplayName("tells means apart by how much they vary")
  void means() {
    assertThat(test.isLarger(new Mean(1_000, 130, 100), new Mean(1_000, 100, 100), 1.15))
        .isTrue();
    assertThat(test.isLarger(new Mean(1_000, 130, 90_000), new Mean(1_000, 100, 90_000), 1.15))
        .isFalse();
  }
}
