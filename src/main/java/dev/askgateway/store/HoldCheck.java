package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.store.TurnRepository.Begin;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;

/**
 * What a copy of accounts refuses, looked at in the database without a lock: it may know better. A
 * request id that was used before holds nothing more, so no account can stand in its way.
 */
record HoldCheck(Database database, JsonObject policy) {
  /** check_hold sets the person before anything is looked for; CASE keeps that order. */
  private static final String CHECK = """
      SELECT CASE
               WHEN looked.refusal IS NULL THEN NULL
               WHEN EXISTS (SELECT FROM answer_requests q WHERE q.user_id = $1 AND q.request_id = $4) THEN NULL
               ELSE looked.refusal
             END
        FROM (SELECT check_hold($1, $2, $3) AS refusal OFFSET 0) looked
      """;

  /** Fails with the refusal that stands. */
  Future<Void> of(Begin begin) {
    return database
        .call(
            CHECK, Tuple.of(begin.user().value(), begin.holdMicroUsd(), policy, begin.requestId()))
        .compose(rows -> {
          GatewayError refused = BudgetRefusals.error(rows.iterator().next().getJsonObject(0));
          return refused == null ? Future.succeededFuture() : Future.failedFuture(refused);
        });
  }
}
