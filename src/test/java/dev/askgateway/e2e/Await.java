package dev.askgateway.e2e;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never for a time. */
final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long LOOK_NANOS = 5_000_000;

  private Await() {}

  /** Returns once the condition holds; fails with {@code what} when it does not come about. */
  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
