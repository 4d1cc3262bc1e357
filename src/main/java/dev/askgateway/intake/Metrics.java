package dev.askgateway.intake;

import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/** The metrics as they are scraped. */
final class Metrics {
  private Metrics() {}

  /** @param metrics writes the Prometheus text, which takes some milliseconds: on a worker thread */
  static void respond(Vertx vertx, RoutingContext ctx, Supplier<String> metrics) {
    vertx
        .executeBlocking(metrics::get, false)
        .onSuccess(text -> ctx.response()
            .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
            .end(text))
        .onFailure(ctx::fail);
  }
}
