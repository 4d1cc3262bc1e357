package dev.askgateway.core;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long things wait at a place even at best: the least of the waits that ended in one interval. A burst
 * that is worked off, or one slow thing among quick ones, does not raise it; a queue that stands does
 * (CoDel's idea). Any thread may call any method. Times are of {@link System#nanoTime}.
 */
public final class StandingDelay {
  /** A tenth of a second. */
  public static final long INTERVAL_NANOS = 100_000_000;

  private static final long NONE = -1;

  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicReference<Interval> newest =
      new AtomicReference<>(new Interval(Long.MIN_VALUE, NONE, NONE));

  /** When something last left, or came while nobody was there. */
  private volatile long movedNanos;

  /**
   * What ended in one interval.
   *
   * @param before the least of the interval right before it
   */
  private record Interval(long number, long least, long before) {
    Interval with(long ended, long waited) {
      if (ended == number) {
        return least != NONE && least <= waited ? this : new Interval(number, waited, before);
      }
      return ended < number
          ? this
          : new Interval(ended, waited, number == ended - 1 ? least : NONE);
    }
  }

  /** Something begins to wait. Each comes to exactly one {@link #leave}, {@link #drop} or {@link #refused}. */
  public void enter(long nowNanos) {
    if (inside.getAndIncrement() == 0) {
      movedNanos = nowNanos;
    }
  }

  /** It waited until now. */
  public void leave(long sinceNanos, long nowNanos) {
    long waited = Math.max(0, nowNanos - sinceNanos);
    newest.updateAndGet(interval -> interval.with(number(nowNanos), waited));
    drop(nowNanos);
  }

  /** It waits no more, and says nothing about how long others do. */
  public void drop(long nowNanos) {
    movedNanos = nowNanos;
    inside.decrementAndGet();
  }

  /** It was not let wait, which moves nobody. */
  public void refused() {
    inside.decrementAndGet();
  }

  /**
   * The least wait that ended in the last whole interval; if none did, how long nothing has moved while
   * something waits, else nothing.
   *
   * @return nanoseconds
   */
  public long nanos(long nowNanos) {
    Interval last = Objects.requireNonNull(newest.get());
    long now = number(nowNanos);
    long least = last.number == now ? last.before : last.number == now - 1 ? last.least : NONE;
    if (least != NONE) {
      return least;
    }
    return inside.get() > 0 ? Math.max(0, nowNanos - movedNanos) : 0;
  }

  private static long number(long nanos) {
    return Math.floorDiv(nanos, INTERVAL_NANOS);
  }
}
