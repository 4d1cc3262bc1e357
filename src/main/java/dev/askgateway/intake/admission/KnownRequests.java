package dev.askgateway.intake.admission;

import dev.askgateway.core.UserId;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests that were begun here and can come again, the last of them: who sends one again gets the
 * answer that runs or is stored, and makes no new work. Any thread may call any method.
 */
final class KnownRequests {
  /** As many are kept at least, and twice as many at most. */
  static final int KEPT = 16_384;

  private record Key(UserId user, UUID requestId) {}

  private record Generations(Set<Key> newer, AtomicInteger count, Set<Key> older) {}

  /** Replaced by whoever fills the newer one. */
  private volatile Generations generations = after(Set.of());

  private static Generations after(Set<Key> older) {
    return new Generations(ConcurrentHashMap.newKeySet(), new AtomicInteger(), older);
  }

  void add(UserId user, UUID requestId) {
    Generations now = generations;
    if (now.newer.add(new Key(user, requestId)) && now.count.incrementAndGet() == KEPT) {
      generations = after(now.newer);
    }
  }

  boolean contains(UserId user, UUID requestId) {
    Generations now = generations;
    Key key = new Key(user, requestId);
    return now.newer.contains(key) || now.older.contains(key);
  }
}
