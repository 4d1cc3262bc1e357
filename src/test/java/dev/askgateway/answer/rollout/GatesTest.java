package dev.askgateway.answer.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.store.Arm.Place;
import dev.askgateway.store.RolloutMeasures;
import dev.askgateway.store.RolloutMeasures.Mean;
import dev.askgateway.store.RolloutMeasures.Times;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The gates of a rollout, all of them at each look")
class GatesTest {
  private static final double ERROR = 0.05;
  private static final int LEAST = 200;
  private static final int RUNS = 240;
  private static final int ANSWERS = 5_000;
  private static final int LOOK_EVERY = 50;

  private final Gates gates =
      new Gates(new RolloutConfig(Duration.ofSeconds(2), Duration.ofSeconds(15), LEAST, ERROR));

  /** Times of answers in order, so that a percentile is a look. */
  private static final class Sorted {
    private final double[] times = new double[ANSWERS];
    private int count;

    private void add(double time) {
      int place = below(time);
      System.arraycopy(times, place, times, place + 1, count - place);
      times[place] = time;
      count++;
    }

    private int below(double time) {
      int found = Arrays.binarySearch(times, 0, count, time);
      return found < 0 ? -found - 1 : found;
    }

    private double p95() {
      return count == 0 ? 0 : times[(int) Math.ceil(0.95 * count) - 1];
    }

    private Times over(double bound) {
      return new Times(count, count - below(Math.nextUp(bound)), p95());
    }
  }

  /** Answers of one arm as they come: prices and times with long tails, and what goes wrong now and then. */
  private static final class Arm {
    private final Random random;
    private final double dearer;
    private final double slower;
    private final Sorted first = new Sorted();
    private final Sorted whole = new Sorted();
    private int answers;
    private int failed;
    private int lost;
    private int completed;
    private int unsourced;
    private int dropped;
    private double sum;
    private double squares;

    private Arm(Random random, double dearer, double slower) {
      this.random = random;
      this.dearer = dearer;
      this.slower = slower;
    }

    private double tailed(double median, double sigma) {
      return median * Math.exp(sigma * random.nextGaussian());
    }

    private void answer() {
      first.add(slower * tailed(900, 0.7));
      answers++;
      if (random.nextDouble() < 0.02) {
        failed++;
        lost += random.nextDouble() < 0.25 ? 1 : 0;
        return;
      }
      completed++;
      whole.add(slower * tailed(3_000, 0.7));
      unsourced += random.nextDouble() < 0.1 ? 1 : 0;
      dropped += random.nextDouble() < 0.05 ? 1 : 0;
      double cost = dearer * tailed(100, 1.2);
      sum += cost;
      squares += cost * cost;
    }

    /** As the database counts it, with the p95 of the control as it is estimated so far. */
    private RolloutMeasures measures(double firstP95, double wholeP95, double allowed) {
      double mean = completed == 0 ? 0 : sum / completed;
      double variance = completed < 2 ? 0 : (squares - completed * mean * mean) / (completed - 1);
      return new RolloutMeasures(
          answers,
          failed,
          lost,
          completed,
          unsourced,
          dropped,
          0,
          new Mean(completed, mean, variance),
          first.over(allowed * firstP95),
          whole.over(allowed * wholeP95));
    }
  }

  /** What the candidate is taken back for while both arms fill up, if for anything. */
  private Optional<Gates.Gate> failed(long seed, double share, double dearer, double slower) {
    Random random = new Random(seed);
    Arm candidate = new Arm(random, dearer, slower);
    Arm control = new Arm(random, 1, 1);
    for (int answers = 1; answers <= ANSWERS; answers++) {
      (random.nextDouble() < share ? candidate : control).answer();
      if (answers % LOOK_EVERY == 0 && Math.min(candidate.completed, control.completed) >= LEAST) {
        double first = control.first.p95();
        double whole = control.whole.p95();
        Optional<Gates.Gate> failed = gates.failed(Map.of(
            Place.CANDIDATE, candidate.measures(first, whole, Gates.SLOWER),
            Place.CONTROL, control.measures(first, whole, 1)));
        if (failed.isPresent()) {
          return failed;
        }
      }
    }
    return Optional.empty();
  }

  private long takenBack(double share, double dearer, double slower) {
    return LongStream.range(0, RUNS)
        .filter(seed -> failed(seed, share, dearer, slower).isPresent())
        .count();
  }

  @ParameterizedTest(name = "{0} of the accounts, {1} times as dear, {2} times as slow")
  @CsvSource({"0.05, 1, 1", "0.05, 1.15, 1.2", "0.25, 1.15, 1.2", "0.5, 1.15, 1.2"})
  @DisplayName(
      "take what is no worse than is allowed back so seldom as they say, with long tails and a p95 that is estimated")
  void falseCalls(double share, double dearer, double slower) {
    assertThat(takenBack(share, dearer, slower)).isLessThan((long) (ERROR * RUNS));
  }

  @Test
  @DisplayName("find what is much slower or dearer all the same")
  void power() {
    assertThat(failed(1, 0.5, 1, 2)).contains(Gates.Gate.FIRST_TEXT);
    assertThat(failed(1, 0.5, 2.5, 1)).contains(Gates.Gate.COST);
  }
}
