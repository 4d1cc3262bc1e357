package dev.askgateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The delay that stands")
class StandingDelayTest {
  private static final long MILLI = 1_000_000;
  private static final long INTERVAL = StandingDelay.INTERVAL_NANOS;

  private final StandingDelay delay = new StandingDelay();

  private void waited(long fromMillis, long untilMillis) {
    delay.enter(fromMillis * MILLI);
    delay.leave(fromMillis * MILLI, untilMillis * MILLI);
  }

  @Test
  @DisplayName(
      "is the least wait of the last whole interval: one slow thing among quick ones is none")
  void least() {
    waited(0, 90);
    waited(80, 85);
    waited(10, 95);
    assertThat(delay.nanos(110 * MILLI)).isEqualTo(5 * MILLI);
  }

  @Test
  @DisplayName("is all that even the quickest waited when a queue stands")
  void queue() {
    waited(100, 310);
    waited(120, 330);
    waited(130, 350);
    assertThat(delay.nanos(410 * MILLI)).isEqualTo(210 * MILLI);
  }

  @Test
  @DisplayName("of things that do not move is how long nothing moved")
  void stuck() {
    delay.enter(1_000 * MILLI);
    delay.enter(1_300 * MILLI);
    assertThat(delay.nanos(1_400 * MILLI)).isEqualTo(400 * MILLI);
    delay.drop(1_400 * MILLI);
    assertThat(delay.nanos(1_450 * MILLI)).isEqualTo(50 * MILLI);
    delay.drop(1_450 * MILLI);
    assertThat(delay.nanos(9_000 * MILLI)).isZero();
  }

  @Test
  @DisplayName("is not shortened by who is turned away at once because the queue is full")
  void refused() {
    delay.enter(1_000 * MILLI);
    delay.enter(1_300 * MILLI);
    delay.refused();
    assertThat(delay.nanos(1_400 * MILLI)).isEqualTo(400 * MILLI);
    delay.drop(1_400 * MILLI);
    assertThat(delay.nanos(9_000 * MILLI)).isZero();
  }

  @Test
  @DisplayName("is over as soon as an interval went by without it")
  void over() {
    waited(0, 250);
    assertThat(delay.nanos(310 * MILLI)).isEqualTo(250 * MILLI);
    waited(320, 321);
    assertThat(delay.nanos(410 * MILLI)).isEqualTo(MILLI);
    assertThat(delay.nanos(900 * MILLI)).isZero();
  }

  private record Wait(long from, long until) {}

  @Test
  @DisplayName(
      "is what looking at all waits one by one finds, whatever they are and wherever time begins")
  void sameAsByHand() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      StandingDelay tested = new StandingDelay();
      long now = random.nextLong(-INTERVAL * 50, INTERVAL * 50);
      List<Wait> ended = new ArrayList<>();
      List<Long> inside = new ArrayList<>();
      long moved = now;
      for (int step = 0; step < 300; step++) {
        now += random.nextLong(INTERVAL / (1 + random.nextInt(20)));
        if (inside.isEmpty() || random.nextInt(3) == 0) {
          moved = inside.isEmpty() ? now : moved;
          inside.add(now);
          tested.enter(now);
        } else {
          long from = inside.remove(random.nextInt(inside.size()));
          moved = now;
          if (random.nextInt(5) == 0) {
            tested.drop(now);
          } else {
            ended.add(new Wait(from, now));
            tested.leave(from, now);
          }
        }
        long whole = Math.floorDiv(now, INTERVAL) - 1;
        long otherwise = inside.isEmpty() ? 0 : now - moved;
        long wanted = ended.stream()
            .filter(one -> Math.floorDiv(one.until, INTERVAL) == whole)
            .mapToLong(one -> one.until - one.from)
            .min()
            .orElse(otherwise);
        assertThat(tested.nanos(now)).as("seed %s step %s", seed, step).isEqualTo(wanted);
      }
    }
  }

  @Test
  @DisplayName("counts who is inside also when many threads tell it")
  void threads() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(4);
    for (int thread = 0; thread < 4; thread++) {
      new Thread(() -> {
            for (int i = 0; i < 20_000; i++) {
              delay.enter(i);
              delay.leave(i, i + 7);
            }
            done.countDown();
          })
          .start();
    }
    done.await();
    assertThat(delay.nanos(INTERVAL + 1)).isEqualTo(7);
    assertThat(delay.nanos(5 * INTERVAL)).isZero();
  }
}
