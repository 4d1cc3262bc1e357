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
 * turn of the loop goes together at its end. While one group is under way the next one gathers until that
 * one is through, or for a time at the most: under no load no call waits for another.
 *
 * @param <A> a call
 * @param <R> what comes of it
 */
final class GroupCommit<A, R> {
  private static final int MOST_CALLS = 128;

  private final Vertx vertx;
  private final Context loop;
  private final long mostWaitMillis;
  private final Function<List<A>, Future<List<Future<R>>>> commit;
  private final ArrayDeque<Waiting<A, R>> waiting = new ArrayDeque<>();
  private int running;
  private long sent;
  private boolean turning;

  private record Waiting<A, R>(A call, Promise<R> promise) {}

  /**
   * Gathers on the calling event loop.
   *
   * @param mostWaitMillis how long a call may wait for the group before its own; 0 is as long as that takes
   * @param commit makes the calls, in one transaction, and answers each in its place; if it fails,
   *     all have
   */
  GroupCommit(Vertx vertx, long mostWaitMillis, Function<List<A>, Future<List<Future<R>>>> commit) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.mostWaitMillis = mostWaitMillis;
    this.commit = commit;
  }

  /** Makes the call with others, if there are any. */
  Future<R> add(A call) {
    Promise<R> promise = Promise.promise();
    waiting.add(new Waiting<>(call, promise));
    if (running == 0) {
      turn();
    } else if (waiting.size() == 1 && mostWaitMillis > 0) {
      sendLate();
    }
    return promise.future();
  }

  private void turn() {
    if (!turning) {
      turning = true;
      loop.runOnContext(turned -> {
        turning = false;
        if (!waiting.isEmpty()) {
          send();
        }
      });
    }
  }

  /** Sends the group that gathers now if by then it has not gone. */
  private void sendLate() {
    long group = sent;
    vertx.setTimer(mostWaitMillis, due -> {
      if (sent == group && !waiting.isEmpty()) {
        send();
      }
    });
  }

  private void send() {
    List<Waiting<A, R>> group = new ArrayList<>(Math.min(MOST_CALLS, waiting.size()));
    while (group.size() < MOST_CALLS && !waiting.isEmpty()) {
      group.add(waiting.remove());
    }
    running++;
    sent++;
    List<A> calls = group.stream().map(Waiting::call).toList();
    // Composed, so that what is thrown while the group is made is its failure, not the end of all
    // groups.
    Future.succeededFuture(calls).compose(commit).onComplete(answers -> {
      running--;
      for (int i = 0; i < group.size(); i++) {
        Promise<R> promise = group.get(i).promise();
        if (answers.succeeded()) {
          answers.result().get(i).onComplete(promise);
        } else {
          promise.fail(answers.cause());
        }
      }
      if (running == 0 && !waiting.isEmpty()) {
        turn();
      }
    });
    if (!waiting.isEmpty()) {
      turn();
    }
  }
}
