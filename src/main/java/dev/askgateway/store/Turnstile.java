package dev.askgateway.store;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lets one group at a time through, of all event loops, in the order in which they came. Groups of one
 * process that ran beside each other would wait in the database for the same accounts, and each such wait
 * costs it more than a group that is twice as large. Any thread may call it.
 */
final class Turnstile {
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean taken;

  /** @param through run when it is this one's turn, on any thread; it has to {@link #leave} some time */
  void enter(Runnable through) {
    synchronized (this) {
      if (taken) {
        waiting.add(through);
        return;
      }
      taken = true;
    }
    through.run();
  }

  /** The turn is over. */
  void leave() {
    Runnable next = next();
    if (next != null) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    taken = next != null;
    return next;
  }
}
