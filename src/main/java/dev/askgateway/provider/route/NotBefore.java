package dev.askgateway.provider.route;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A time before which nobody asks. Only ever moved further away. */
final class NotBefore {
  private final LongSupplier nanos;
  private final AtomicLong until;

  NotBefore(LongSupplier nanos) {
    this.nanos = nanos;
    this.until = new AtomicLong(nanos.getAsLong());
  }

  void in(Duration wait) {
    long then = nanos.getAsLong() + wait.toNanos();
    until.accumulateAndGet(then, (was, now) -> now - was > 0 ? now : was);
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, until.get() - nanos.getAsLong()));
  }

  boolean isOver() {
    return until.get() - nanos.getAsLong() <= 0;
  }
}
