package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Route;
import dev.askgateway.provider.gate.AttemptListener;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What answers report of themselves: names and numbers, never content. */
public interface AnswerListener {

  void started();

  /** The first status reached the feed so long after the request. */
  void firstStatus(Duration sinceRequest);

  /** The first text reached the feed so long after the request. */
  void firstText(Duration sinceRequest);

  /** Tables could not represent a question, for that reason, and a model may be asked for its plan. */
  default void planned(QueryPlan.Reason reason, PlannerOutcome outcome) {}

  /** A call for the question's vector was made, and is a part of what the answer costs. */
  default void embedded(EmbeddingUse use, long costMicroUsd) {}

  /** Retrieval found so many windows; with none the answer is fixed. */
  void retrieved(int windows);

  /** Evidence was looked for on a route, and there was some or none. */
  void routed(Route route, boolean found);

  /** Who counts and logs the calls of models that an answer makes, one by one. */
  default AttemptListener attempts(UUID requestId) {
    return AttemptListener.NONE;
  }

  /** One call of a model ended; a null code: it gave an answer. */
  void attempted(String provider, GatewayError.@Nullable Code code);

  /** Marks that named no source were taken out. */
  void marksDropped(int count);

  /** A model completed an answer that cites so many sources; none are made up for it. */
  void cited(int sources);

  /** A leg of retrieval was left out. */
  void degraded(String leg);

  void ended(AnswerEvent.Ended end, Duration sinceRequest);

  /** All that an answer came to, once, right after its end. */
  default void summed(RequestSummary summary) {}

  /** The shared event log stopped taking the events of an answer. */
  void logFailed();
}
