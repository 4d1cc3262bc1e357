package dev.askgateway.evals.scale;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Does something for each of a list, so many at a time, and tells how long each took. */
final class Rounds {
  private Rounds() {}

  static <T> Spread of(Vertx vertx, List<T> all, int atOnce, Function<T, Future<?>> what)
      throws Exception {
    long[] nanos = new long[all.size()];
    AtomicInteger next = new AtomicInteger();
    List<Future<Void>> chains = new java.util.ArrayList<>();
    for (int i = 0; i < atOnce; i++) {
      Promise<Void> end = Promise.promise();
      chains.add(end.future());
      vertx.runOnContext(start -> step(all, next, nanos, what, end));
    }
    Future.all(chains).await(30, TimeUnit.MINUTES);
    return Spread.of(nanos);
  }

  private static <T> void step(
      List<T> all,
      AtomicInteger next,
      long[] nanos,
      Function<T, Future<?>> what,
      Promise<Void> end) {
    int at = next.getAndIncrement();
    if (at >= all.size()) {
      end.complete();
      return;
    }
    long begun = System.nanoTime();
    what.apply(all.get(at)).onComplete(done -> {
      nanos[at] = System.nanoTime() - begun;
      if (done.failed()) {
        end.tryFail(done.cause());
      } else {
        step(all, next, nanos, what, end);
      }
    });
  }
}
