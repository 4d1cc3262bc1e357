package dev.askgateway.store;

import dev.askgateway.core.StandingDelay;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The one way to a connection of a pool: with a bound to the wait, and with the waits watched. */
final class Connections {
  private final Vertx vertx;
  private final Pool pool;
  private final long mostMillis;
  private final StandingDelay waits = new StandingDelay();

  /** @param most longest wait for one */
  Connections(Vertx vertx, Pool pool, Duration most) {
    this.vertx = vertx;
    this.pool = pool;
    this.mostMillis = most.toMillis();
  }

  /** How long one is waited for. */
  StandingDelay waits() {
    return waits;
  }

  /** A connection, to be closed; fails when none was free in time, or too many wait already. */
  Future<SqlConnection> take() {
    long askedNanos = System.nanoTime();
    waits.enter(askedNanos);
    return inTime().onComplete(asked -> {
      if (asked.succeeded() || asked.cause() instanceof TimeoutException) {
        waits.leave(askedNanos, System.nanoTime());
      } else {
        waits.refused(); // at once, as the queue is full: no sign of a short wait
      }
    });
  }

  /**
   * A connection within the stated time. One that comes later goes back at once. The pool's own limit can
   * lose one for good: at 5.0.7 a wait may be taken back while its connection is handed over, which completes
   * one promise twice ("Promise already completed", vertx-sql-client issue 1567), and nobody has it then.
   */
  private Future<SqlConnection> inTime() {
    Future<SqlConnection> asked = pool.getConnection();
    if (asked.isComplete()) {
      return asked;
    }
    Promise<SqlConnection> inTime = Promise.promise();
    long timer = vertx.setTimer(
        mostMillis, late -> inTime.tryFail(new TimeoutException("no connection was free")));
    asked.onComplete(
        connection -> {
          vertx.cancelTimer(timer);
          if (!inTime.tryComplete(connection)) {
            connection.close();
          }
        },
        failure -> {
          vertx.cancelTimer(timer);
          inTime.tryFail(failure);
        });
    return inTime.future();
  }
}
