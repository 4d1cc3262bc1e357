package dev.askgateway.provider.gate;

import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How late the event loops are. What runs out of time on a loop that is itself behind says nothing of
 * the model: a burst of calls must not make this process believe that all of its providers are down.
 */
final class LoopLag {
  private static final long LOOK_MILLIS = 100;
  private static final long BEHIND_NANOS = 200_000_000;
  private static final long REMEMBERED_NANOS = 5_000_000_000L;

  private final Vertx vertx;
  private final Map<Thread, Loop> loops = new ConcurrentHashMap<>();

  LoopLag(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Begins to watch the calling event loop, once. */
  void watch() {
    if (!loops.containsKey(Thread.currentThread())) {
      Loop loop = new Loop();
      loops.put(Thread.currentThread(), loop);
      vertx.setPeriodic(LOOK_MILLIS, tick -> loop.look());
    }
  }

  /** Whether the calling event loop is late now, or was within the last seconds. */
  boolean isBehind() {
    Loop loop = loops.get(Thread.currentThread());
    return loop != null && loop.isBehind();
  }

  /** One event loop, seen by itself only. */
  private static final class Loop {
    private long lookedNanos = System.nanoTime();
    private long behindNanos = lookedNanos - REMEMBERED_NANOS;

    void look() {
      long now = System.nanoTime();
      if (isLate(now)) {
        behindNanos = now;
      }
      lookedNanos = now;
    }

    boolean isBehind() {
      long now = System.nanoTime();
      return isLate(now) || now - behindNanos < REMEMBERED_NANOS;
    }

    private boolean isLate(long now) {
      return now - lookedNanos > LOOK_MILLIS * 1_000_000 + BEHIND_NANOS;
    }
  }
}
