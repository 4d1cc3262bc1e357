package dev.askgateway.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Gathers the calls of all event loops, so that many share a round trip and a commit. What comes in one
 * turn of a loop goes together at its end; while a group is under way the next one gathers. Beside each
 * other they would wait in the database for the same accounts, and each such wait costs it more than a
 * group that is twice as large. Only what has waited for a time goes beside one that is late: under no
 * load no call waits for another, and one group that is stuck keeps not all others.
 *
 * @param <A> a call
 * @param <R> what comes of it
 */
final class GroupCommit<A, R> {
  private static final int MOST_CALLS = 256;

  /** Groups beside one that is late. */
  private static final int MOST_BESIDE = 3;

  private final Vertx vertx;
  private final long mostWaitMillis;
  private final Function<List<A>, Future<List<Future<R>>>> commit;
  private final Queue<Waiting<A, R>> waiting = new ConcurrentLinkedQueue<>();

  /** Whether somebody will look at what waits at the end of a loop's turn. */
  private final AtomicBoolean due = new AtomicBoolean();

  /** Whether a group is under way; whoever ends it sends the next. */
  private final AtomicBoolean underWay = new AtomicBoolean();

  private final AtomicInteger beside = new AtomicInteger();

  private record Waiting<A, R>(A call, Context loop, Promise<R> promise) {}

  private record Answer<R>(Promise<R> promise, Future<R> answer) {}

  /**
   * Gathers nothing yet.
   *
   * @param mostWaitMillis how long a call waits for a group that is under way
   * @param commit makes the calls, in one transaction, and answers each in its place; if it fails,
   *     all have
   */
  GroupCommit(Vertx vertx, long mostWaitMillis, Function<List<A>, Future<List<Future<R>>>> commit) {
    this.vertx = vertx;
    this.mostWaitMillis = mostWaitMillis;
    this.commit = commit;
  }

  /** Makes the call with others, if there are any. On an event loop, where it is answered too. */
  Future<R> add(A call) {
    Context loop = vertx.getOrCreateContext();
    Promise<R> promise = Promise.promise();
    waiting.add(new Waiting<>(call, loop, promise));
    // Whoever ends a group looks at what waits after it has said so: nothing that sees a group here
    // is
    // forgotten.
    if (!underWay.get() && due.compareAndSet(false, true)) {
      loop.runOnContext(turned -> {
        due.set(false);
        next();
      });
    }
    return promise.future();
  }

  private void next() {
    while (!waiting.isEmpty() && underWay.compareAndSet(false, true)) {
      List<Waiting<A, R>> group = gathered();
      if (!group.isEmpty()) {
        long late = vertx.setPeriodic(mostWaitMillis, waited -> sendBeside());
        send(group).onComplete(done -> {
          vertx.cancelTimer(late);
          underWay.set(false);
          next();
        });
        return;
      }
      underWay.set(false);
    }
  }

  private void sendBeside() {
    if (waiting.isEmpty()) {
      return;
    }
    if (beside.incrementAndGet() > MOST_BESIDE) {
      beside.decrementAndGet();
      return;
    }
    send(gathered()).onComplete(done -> beside.decrementAndGet());
  }

  private List<Waiting<A, R>> gathered() {
    List<Waiting<A, R>> group = new ArrayList<>();
    while (group.size() < MOST_CALLS) {
      Waiting<A, R> next = waiting.poll();
      if (next == null) {
        break;
      }
      group.add(next);
    }
    return group;
  }

  private Future<List<Future<R>>> send(List<Waiting<A, R>> group) {
    List<A> calls = group.stream().map(Waiting::call).toList();
    // Composed, so that what is thrown while the group is made is its failure, not the end of all
    // groups.
    Future<List<Future<R>>> answers = calls.isEmpty()
        ? Future.succeededFuture(List.of())
        : Future.succeededFuture(calls).compose(commit);
    return answers.onComplete(done -> {
      Map<Context, List<Answer<R>>> byLoop = new LinkedHashMap<>();
      for (int i = 0; i < group.size(); i++) {
        Waiting<A, R> one = group.get(i);
        byLoop
            .computeIfAbsent(one.loop(), first -> new ArrayList<>())
            .add(new Answer<>(
                one.promise(),
                done.succeeded() ? done.result().get(i) : Future.failedFuture(done.cause())));
      }
      byLoop.forEach(GroupCommit::tell);
    });
  }

  /** One hop for all calls of a loop. */
  private static <R> void tell(Context loop, List<Answer<R>> answers) {
    if (Vertx.currentContext() == loop) {
      answers.forEach(one -> one.answer().onComplete(one.promise()));
    } else {
      loop.runOnContext(now -> answers.forEach(one -> one.answer().onComplete(one.promise())));
    }
  }
}
