package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an answer came to its end, before that is stored. */
record Ending(
    TurnState state,
    FinishReason reason,
    String provider,
    String model,
    Usage usage,
    long costMicroUsd,
    AnswerEvent.@Nullable Failure error) {

  /** The argument of the finish function. */
  JsonObject toJson(Transcript transcript, @Nullable String promptVersion, Duration latency) {
    return new JsonObject()
        .put("status", state.wire())
        .put("content", transcript.text())
        .put("citations", transcript.citationsJson())
        .put("queryPlan", transcript.plan())
        .put("promptVersion", promptVersion)
        .put("provider", provider)
        .put("model", model)
        .put("finishReason", reason.wire())
        .put("usage", usage.toJson())
        .put("costMicroUsd", costMicroUsd)
        .put("latencyMs", latency.toMillis())
        .put("errorCode", error == null ? null : error.code().wire());
  }

  /** The terminal event, with what the database made of it. */
  AnswerEvent.Ended event(String profile, long charged, @Nullable JsonObject thread) {
    return new AnswerEvent.Ended(
        state, reason, provider, model, profile, usage, charged, thread, error);
  }
}
