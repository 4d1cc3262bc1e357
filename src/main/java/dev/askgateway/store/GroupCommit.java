package dev.askgateway.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Gathers the calls of one event loop, so that many share a round trip and a commit. What comes in one
 * turn of the loop goes together at its end. While the turnstile lets others through the next group
 * gathers, until it is its turn, or for a time at the most: under no load no call waits for another.
 *
 * @param <A> a call
 * @param <R> what comes of it
 */
final class GroupCommit<A, R> {
  private static final int MOST_CALLS = 128;

  private final Vertx vertx;
  private final Context loop;
  private final Turnstile turnstile;
  private final long mostWaitMillis;
  private final Function<List<A>, Future<List<Future<R>>>> commit;
  private final ArrayDeque<Waiting<A, R>> waiting = new ArrayDeque<>();
  private long sent;

  /** Whether it will be this one's turn. */
  private boolean due;

  private record Waiting<A, R>(A call, Promise<R> promise) {}

  /**
   * Gathers on the calling event loop.
   *
   * @param turnstile lets one group at a time through, of all that have it
   * @param mostWaitMillis how long a call may wait for its group's turn; 0 is as long as that takes
   * @param commit makes the calls, in one transaction, and answers each in its place; if it fails,
   *     all have
   */
  GroupCommit(
      Vertx vertx,
      Turnstile turnstile,
      long mostWaitMillis,
      Function<List<A>, Future<List<Future<R>>>> commit) {
    this.vertx = vertx;
    this.turnstile = turnstile;
    this.loop = vertx.getOrCreateContext();
    this.mostWaitMillis = mostWaitMillis;
    this.commit = commit;
  }

  /** Makes the call with others, if there are any. */
  Future<R> add(A call) {
    Promise<R> promise = Promise.promise();
    waiting.add(new Waiting<>(call, promise));
    if (!due) {
      due = true;
      loop.runOnContext(turned -> turn());
    }
    return promise.future();
  }

  private void turn() {
    long group = sent;
    turnstile.enter(this::through);
    if (sent == group && mostWaitMillis > 0) {
      vertx.setTimer(mostWaitMillis, waited -> {
        if (sent == group && !waiting.isEmpty()) {
          send(() -> {});
        }
      });
    }
  }

  /** On the thread of whoever left. */
  private void through() {
    if (Vertx.currentContext() == loop) {
      go();
    } else {
      loop.runOnContext(now -> go());
    }
  }

  private void go() {
    due = false;
    if (waiting.isEmpty()) {
      turnstile.leave();
      return;
    }
    send(turnstile::leave);
    if (!waiting.isEmpty()) {
      due = true;
      turn();
    }
  }

  private void send(Runnable over) {
    List<Waiting<A, R>> group = new ArrayList<>(Math.min(MOST_CALLS, waiting.size()));
    while (group.size() < MOST_CALLS && !waiting.isEmpty()) {
      group.add(waiting.remove());
    }
    sent++;
    List<A> calls = group.stream().map(Waiting::call).toList();
    // Composed, so that what is thrown while the group is made is its failure, not the end of all
    // groups.
    Future.succeededFuture(calls).compose(commit).onComplete(answers -> {
      over.run();
      for (int i = 0; i < group.size(); i++) {
        Promise<R> promise = group.get(i).promise();
        if (answers.succeeded()) {
          answers.result().get(i).onComplete(promise);
        } else {
          promise.fail(answers.cause());
        }
      }
    });
  }
}
