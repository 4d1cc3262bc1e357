package dev.askgateway.intake.admission;

import dev.askgateway.core.StandingDelay;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * How late an event loop is: one timer that looks when it is called, ten times a second. It is set anew
 * each time, so that a loop that was held up is not called for what it missed. Lives on that loop.
 */
final class LoopLag {
  private static final long INTERVAL_MILLIS =
      TimeUnit.NANOSECONDS.toMillis(StandingDelay.INTERVAL_NANOS);

  private static final int LOOKS = 5;

  private final Vertx vertx;
  private final LongConsumer told;
  /** A ring of the last looks: a pause, or a class that is read, is no lag that stands. */
  private final long[] last = new long[LOOKS];

  private int looks;

  /** @param told hears at each look how late it was, in nanoseconds */
  LoopLag(Vertx vertx, LongConsumer told) {
    this.vertx = vertx;
    this.told = told;
  }

  void start() {
    long due = System.nanoTime() + StandingDelay.INTERVAL_NANOS;
    vertx.setTimer(INTERVAL_MILLIS, called -> {
      long late = Math.max(0, System.nanoTime() - due);
      last[looks] = late;
      looks = (looks + 1) % LOOKS;
      told.accept(late);
      start();
    });
  }

  /** How late it was at least at each look of the last half second, in nanoseconds. */
  long standingNanos() {
    long least = last[0];
    for (long late : last) {
      least = Math.min(least, late);
    }
    return least;
  }
}
