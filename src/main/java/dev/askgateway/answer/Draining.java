package dev.askgateway.answer;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Lets what runs end by itself for a while, then interrupts it and lets it settle.
 *
 * @param idle whether nothing runs
 * @param interrupt tells all that runs to end
 */
public record Draining(Vertx vertx, BooleanSupplier idle, Runnable interrupt) {
  private static final Duration STORE_PATIENCE = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 50;

  /** Complete when nothing runs, or what does is left to the sweeper because the database is away. */
  public Future<Void> within(Duration patience) {
    return idleWithin(patience).compose(waited -> {
      interrupt.run();
      return idleWithin(STORE_PATIENCE);
    });
  }

  private Future<Void> idleWithin(Duration patience) {
    if (idle.getAsBoolean()) {
      return Future.succeededFuture();
    }
    Promise<Void> over = Promise.promise();
    long until = System.nanoTime() + patience.toNanos();
    vertx.setPeriodic(LOOK_MILLIS, timer -> {
      if (idle.getAsBoolean() || System.nanoTime() > until) {
        over.tryComplete();
        vertx.cancelTimer(timer);
      }
    });
    return over.future();
  }
}
