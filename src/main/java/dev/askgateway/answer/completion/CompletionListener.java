package dev.askgateway.answer.completion;

import dev.askgateway.answer.RequestSummary;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.gate.AttemptListener;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What completions and embeddings report of themselves: names and numbers, never content. */
public interface CompletionListener {
  /** What was asked for. */
  enum Kind {
    CHAT,
    EMBEDDING
  }

  /** One was begun, refusals before that not counted; comes to exactly one {@link #ended}. */
  void started(Kind kind);

  /** The first output of a completion was handed on so long after the request. */
  void firstOutput(Duration sinceRequest);

  /** Who counts and logs the calls of models that a completion makes, one by one. */
  default AttemptListener attempts(UUID requestId) {
    return AttemptListener.NONE;
  }

  /** One call of a model that answers ended; a null code: it gave an answer. */
  void attempted(String provider, GatewayError.@Nullable Code code);

  /** One call of a model that embeds ended; a null failure: it gave vectors. */
  void embedded(UUID requestId, EmbeddingModel model, @Nullable Throwable failure, Duration took);

  void ended(Kind kind, AnswerEvent.Ended end, Duration sinceRequest);

  /** All that one came to, once, right after its end. */
  default void summed(RequestSummary summary) {}
}
