package dev.askgateway.budget;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether Redis is worth asking: after a failure one request in a second tries it, and the others do not
 * wait for that. Any thread may call any method.
 */
public final class RedisBreaker {
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicBoolean away = new AtomicBoolean();
  private final AtomicLong nextTry = new AtomicLong();

  /** Whether to ask Redis now. */
  public boolean mayTry() {
    if (!away.get()) {
      return true;
    }
    long next = nextTry.get();
    long now = System.nanoTime();
    return now - next >= 0 && nextTry.compareAndSet(next, now + RETRY_NANOS);
  }

  /** It answered. */
  public void answered() {
    away.set(false);
  }

  /** It did not. */
  public void failed() {
    nextTry.set(System.nanoTime() + RETRY_NANOS);
    away.set(true);
  }
}
