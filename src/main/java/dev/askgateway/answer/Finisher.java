package dev.askgateway.answer;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;

/** Stores an answer's end, trying again while the database is away: the function is idempotent. */
final class Finisher {
  private static final List<Long> RETRY_MILLIS = List.of(100L, 500L, 2_000L);

  private final Vertx vertx;
  private final TurnRepository turns;
  private final String node;

  Finisher(Vertx vertx, TurnRepository turns, String node) {
    this.vertx = vertx;
    this.turns = turns;
    this.node = node;
  }

  /** The stored request, with a flag "finished" that says whether this call ended it. */
  Future<JsonObject> finish(UserId user, UUID requestId, JsonObject end) {
    return attempt(user, requestId, end, 0);
  }

  private Future<JsonObject> attempt(UserId user, UUID requestId, JsonObject end, int tried) {
    return turns.finish(user, requestId, node, end).recover(failure -> {
      boolean away = failure instanceof GatewayError known
          && known.code() == GatewayError.Code.DEPENDENCY_UNAVAILABLE;
      if (!away || tried >= RETRY_MILLIS.size()) {
        return Future.failedFuture(failure);
      }
      return vertx
          .timer(RETRY_MILLIS.get(tried))
          .compose(later -> attempt(user, requestId, end, tried + 1));
    });
  }
}
