package dev.askgateway.answer.completion;

import dev.askgateway.answer.Bill;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a request ended and what it cost: nothing of what it said. */
record End(
    TurnState state,
    FinishReason reason,
    Bill bill,
    GatewayError.@Nullable Code error,
    Duration took) {

  /** The argument of the finish function. */
  JsonObject toJson() {
    return bill.toJson()
        .put("status", state.wire())
        .put("finishReason", reason.wire())
        .put("latencyMs", took.toMillis())
        .put("errorCode", error == null ? null : error.wire());
  }

  /** The same for those who trace. */
  void trace(Span request) {
    request
        .set(SpanKey.STATE, state)
        .set(SpanKey.FINISH_REASON, reason)
        .set(SpanKey.COST, bill.billableMicroUsd());
    if (error != null) {
      request.failed(error);
    }
  }

  /** The same for those who count. */
  AnswerEvent.Ended event(String profile) {
    return new AnswerEvent.Ended(
        state,
        reason,
        bill.provider(),
        bill.model(),
        profile,
        bill.usage(),
        bill.billableMicroUsd(),
        false,
        null,
        error == null ? null : new AnswerEvent.Failure(error, error.wire()));
  }
}
