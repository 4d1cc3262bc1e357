package dev.askgateway.budget.limit;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The limits of one node alone. The buckets that were used longest ago are forgotten when there are too
 * many, and those that are full again need no remembering. Slots are as many as requests run here.
 */
public final class LocalLimiter implements Limiter {
  private static final int MOST_BUCKETS = 100_000;
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final ReentrantLock lock = new ReentrantLock();
  /** When each bucket is full again, the one used longest ago first. */
  private final LinkedHashMap<String, Long> fullAt = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<String, Set<String>> running = new ConcurrentHashMap<>();
  private final LongSupplier micros;
  private final int mostBuckets;

  public LocalLimiter() {
    this(() -> System.nanoTime() / 1_000, MOST_BUCKETS);
  }

  LocalLimiter(LongSupplier micros, int mostBuckets) {
    this.micros = micros;
    this.mostBuckets = mostBuckets;
  }

  @Override
  public Future<Verdict> take(Claim claim) {
    lock.lock();
    try {
      return Future.succeededFuture(taken(claim, micros.getAsLong()));
    } finally {
      lock.unlock();
    }
  }

  private Verdict taken(Claim claim, long now) {
    Limit limit = claim.limit();
    long period = limit.periodMicros();
    String key = key(claim);
    long level = level(key, limit, now);
    if (level + period > limit.burst() * period) {
      return Verdict.of(Verdict.Outcome.RATE, limit, level);
    }
    if (limit.concurrent() > 0) {
      if (running(key) >= limit.concurrent()) {
        return Verdict.of(Verdict.Outcome.CONCURRENCY, limit, level);
      }
      hold(claim);
    }
    if (period > 0) {
      fullAt.put(key, now + level + period);
      forget(now);
    }
    return Verdict.of(Verdict.Outcome.ADMITTED, limit, level + period);
  }

  /** What is missing in a bucket; never more than it holds, whatever it held under other numbers. */
  private long level(String key, Limit limit, long now) {
    Long full = fullAt.get(key);
    return full == null
        ? 0
        : Math.max(0, Math.min(limit.burst() * limit.periodMicros(), full - now));
  }

  private void forget(long now) {
    Iterator<Long> oldest = fullAt.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next() > now && fullAt.size() <= mostBuckets) {
        return;
      }
      oldest.remove();
    }
  }

  /** Counts a request as running here, whoever admitted it. */
  void hold(Claim claim) {
    running.compute(key(claim), (key, requests) -> {
      Set<String> all = requests == null ? ConcurrentHashMap.newKeySet() : requests;
      all.add(claim.request());
      return all;
    });
  }

  private static String key(Claim claim) {
    return claim.bucket() + ' ' + claim.owner();
  }

  private int running(String key) {
    Set<String> requests = running.get(key);
    return requests == null ? 0 : requests.size();
  }

  @Override
  public Future<Void> renew(Claim claim) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> release(Claim claim) {
    running.computeIfPresent(key(claim), (key, requests) -> {
      requests.remove(claim.request());
      return requests.isEmpty() ? null : requests;
    });
    return Future.succeededFuture();
  }

  @Override
  public Duration lease() {
    return LEASE;
  }

  /** How many buckets are remembered. */
  int buckets() {
    return fullAt.size();
  }
}
