package dev.askgateway.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets one group at a time through, of all event loops, in the order in which they came. Groups of one
 * process that ran beside each other would wait in the database for the same accounts, and each such wait
 * costs it more than a group that is twice as large. Any thread may call it.
 */
final class Turnstile {
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  /** Whoever is through, and all that wait. */
  private final AtomicInteger inside = new AtomicInteger();

  /** @param through run when it is this one's turn, on any thread; it has to {@link #leave} some time */
  void enter(Runnable through) {
    waiting.add(through);
    if (inside.getAndIncrement() == 0) {
      next();
    }
  }

  /** The turn is over. */
  void leave() {
    if (inside.decrementAndGet() > 0) {
      next();
    }
  }

  /** Who counted has added before, so that there is one for each turn. */
  private void next() {
    Runnable next = waiting.poll();
    if (next != null) {
      next.run();
    }
  }
}
