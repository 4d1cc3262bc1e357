package dev.askgateway.intake.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.StandingDelay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The limit of requests that begin")
class AdaptiveLimitTest {
  private static final long MILLI = 1_000_000;
  private static final long TARGET_MILLIS = 100;
  private static final int MOST = 128;

  @Test
  @DisplayName("is never below the least nor above the most, and moves only the way it should")
  void bounds() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int most = random.nextInt(300);
      AdaptiveLimit limit = new AdaptiveLimit(most);
      int ceiling = Math.max(AdaptiveLimit.LEAST, most);
      assertThat(limit.now()).isEqualTo(ceiling);
      for (int step = 0; step < 300; step++) {
        int before = limit.now();
        int inFlight = random.nextInt(before + 1);
        boolean late = random.nextBoolean();
        boolean tooMany = limit.judge(inFlight, late);
        assertThat(limit.now()).isBetween(AdaptiveLimit.LEAST, ceiling);
        assertThat(tooMany).isEqualTo(late && inFlight > AdaptiveLimit.LEAST);
        if (!late) {
          assertThat(limit.now()).isGreaterThanOrEqualTo(Math.min(ceiling, before + 1));
        } else if (tooMany) {
          assertThat(limit.now()).isLessThan(inFlight);
        } else {
          assertThat(limit.now()).isEqualTo(before);
        }
      }
    }
  }

  /** A node that does so many a second, one after the other, and lets in whom the limit has room for. */
  private static final class Node {
    final AdaptiveLimit limit = new AdaptiveLimit(MOST);
    final StandingDelay delay = new StandingDelay();
    final ArrayDeque<Long> inFlight = new ArrayDeque<>();
    final List<Long> waits = new ArrayList<>();
    final Random random;
    double work;
    double due;
    long now;
    int came;
    int shed;

    Node(long seed) {
      random = new Random(seed);
      now = random.nextLong(1_000_000) * MILLI;
    }

    void run(long millis, double perSecond, double asked) {
      for (long end = now + millis * MILLI; now < end; now += MILLI) {
        due += asked / 1000 * 2 * random.nextDouble();
        for (; due >= 1; due--) {
          came++;
          if (inFlight.size() < limit.now()) {
            inFlight.add(now);
            delay.enter(now);
          } else {
            shed++;
          }
        }
        work = inFlight.isEmpty() ? 0 : work + perSecond / 1000;
        for (; work >= 1 && !inFlight.isEmpty(); work--) {
          long since = inFlight.remove();
          delay.leave(since, now);
          waits.add((now - since) / MILLI);
        }
        if (now / MILLI % 100 == 0) {
          limit.judge(inFlight.size(), delay.nanos(now) > TARGET_MILLIS * MILLI);
        }
      }
    }

    void forget() {
      waits.clear();
      came = 0;
      shed = 0;
    }

    long p95() {
      List<Long> sorted = waits.stream().sorted().toList();
      return sorted.get(sorted.size() * 95 / 100);
    }
  }

  @Test
  @DisplayName(
      "keeps the wait of those let in short and the node busy, however quick it is and much is asked")
  void overload() {
    for (int seed = 0; seed < 100; seed++) {
      Node node = new Node(seed);
      double perSecond = 50 * Math.pow(2, node.random.nextInt(7));
      double times = 1.5 + node.random.nextInt(9);
      node.run(2_000, perSecond, perSecond / 2);
      assertThat(node.shed).as("in calm, seed %s", seed).isZero();
      node.run(2_000, perSecond, perSecond * times);
      node.forget();
      node.run(10_000, perSecond, perSecond * times);
      assertThat(node.p95()).as("seed %s: %s a second", seed, perSecond).isLessThan(250);
      assertThat(node.waits.size() / (perSecond * 10))
          .as("of what it can do, seed %s", seed)
          .isGreaterThan(0.9);
    }
  }

  @Test
  @DisplayName("turns nobody away any more once less is asked than the node can do")
  void recovers() {
    for (int seed = 0; seed < 100; seed++) {
      Node node = new Node(seed);
      double perSecond = 50 * Math.pow(2, node.random.nextInt(7));
      node.run(5_000, perSecond, perSecond * 3);
      node.run(500, perSecond, perSecond * 0.5);
      node.forget();
      node.run(5_000, perSecond, perSecond * 0.5);
      assertThat(node.shed).as("seed %s", seed).isZero();
      assertThat(node.p95()).isLessThan(TARGET_MILLIS);
    }
  }

  @Test
  @DisplayName("follows a node that suddenly does a quarter of what it did")
  void slower() {
    for (int seed = 0; seed < 50; seed++) {
      Node node = new Node(seed);
      node.run(3_000, 800, 600);
      node.run(1_500, 200, 600);
      node.forget();
      node.run(5_000, 200, 600);
      assertThat(node.p95()).as("seed %s", seed).isLessThan(250);
      assertThat(node.waits.size()).isGreaterThan(900);
    }
  }
}
