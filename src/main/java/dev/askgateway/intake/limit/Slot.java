package dev.askgateway.intake.limit;

import dev.askgateway.budget.limit.Claim;
import dev.askgateway.budget.limit.Limiter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;

/**
 * A person's place among the answers that run, kept until the response is over. It lives on the
 * response's event loop.
 */
final class Slot {
  /** A lease outlives two renewals that fail. */
  private static final int RENEWALS = 3;

  private final Vertx vertx;
  private final Limiter limiter;
  private final Claim claim;
  private final HttpServerResponse response;
  private Future<Void> renewed = Future.succeededFuture();
  private long timer = -1;
  private boolean over;

  Slot(Vertx vertx, Limiter limiter, Claim claim, HttpServerResponse response) {
    this.vertx = vertx;
    this.limiter = limiter;
    this.claim = claim;
    this.response = response;
  }

  void hold() {
    if (isOver()) {
      release(); // the client left before anybody listened
      return;
    }
    timer = vertx.setPeriodic(Math.max(1, limiter.lease().toMillis() / RENEWALS), tick -> renew());
    // Called at the end and when the connection closes; the relays use the other handlers.
    response.endHandler(done -> release());
  }

  private boolean isOver() {
    return response.ended() || response.closed();
  }

  /** Also the way out should no handler have been called. */
  private void renew() {
    if (isOver()) {
      release();
    } else {
      renewed = limiter.renew(claim);
    }
  }

  private void release() {
    if (over) {
      return;
    }
    over = true;
    if (timer >= 0) {
      vertx.cancelTimer(timer);
    }
    // Not before a renewal that is under way: overtaken, it would take the slot again.
    renewed.onComplete(done -> limiter.release(claim));
  }
}
