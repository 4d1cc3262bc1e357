package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;

/**
 * What a copy of accounts refuses, looked at in the database without a lock: it may know better.
 */
record HoldCheck(Database database, JsonObject policy) {
  private static final String CHECK = "SELECT check_hold($1, $2, $3, $4)";

  /** Fails with the refusal that stands. */
  Future<Void> of(Begin begin) {
    return database
        .call(
            CHECK, Tuple.of(begin.user().value(), begin.requestId(), begin.holdMicroUsd(), policy))
        .compose(rows -> {
          GatewayError refused = BudgetRefusals.error(rows.iterator().next().getJsonObject(0));
          return refused == null ? Future.succeededFuture() : Future.failedFuture(refused);
        });
  }
}
