package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an answer came to its end, before that is stored. */
record Ending(TurnState state, FinishReason reason, Bill bill, GatewayError.@Nullable Code error) {

  /** The argument of the finish function. */
  JsonObject toJson(Transcript transcript, @Nullable String promptVersion, Duration latency) {
    return bill.toJson()
        .put("status", state.wire())
        .put("content", transcript.text())
        .put("citations", transcript.citedJson())
        .put("queryPlan", transcript.plan())
        .put("promptVersion", promptVersion)
        .put("finishReason", reason.wire())
        .put("latencyMs", latency.toMillis())
        .put("errorCode", error == null ? null : error.wire());
  }

  /** The same end without what could not be stored: the money is settled all the same. */
  static JsonObject bare(JsonObject end) {
    return end.copy()
        .put("status", TurnState.FAILED.wire())
        .put("content", "")
        .put("citations", new JsonArray())
        .put("queryPlan", new JsonObject())
        .put("finishReason", FinishReason.ERROR.wire())
        .put("errorCode", GatewayError.Code.INTERNAL.wire());
  }

  /** What readers are told, and what is stored later, when the database is away at the end. */
  Ending notStored() {
    return state == TurnState.COMPLETED
        ? new Ending(
            TurnState.FAILED, FinishReason.ERROR, bill, GatewayError.Code.DEPENDENCY_UNAVAILABLE)
        : this;
  }

  /** What readers are told when another node has the turn and has not ended it yet. */
  Ending taken() {
    return new Ending(TurnState.FAILED, FinishReason.ERROR, bill, GatewayError.Code.INTERRUPTED);
  }

  /** The terminal of an end that is not stored yet: nothing was charged so far. */
  AnswerEvent.Ended event(String profile) {
    return new AnswerEvent.Ended(
        state,
        reason,
        bill.provider(),
        bill.model(),
        profile,
        bill.usage(),
        0,
        false,
        null,
        error == null ? null : Failures.failure(error));
  }
}
