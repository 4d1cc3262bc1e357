package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the end of an answer, with what it used, before anybody is told of it. */
final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final Finisher finisher;
  private final Question question;
  private final Transcript transcript;

  Closing(Finisher finisher, Question question, Transcript transcript) {
    this.finisher = finisher;
    this.question = question;
    this.transcript = transcript;
  }

  /**
   * Stores an end.
   *
   * @param promptVersion of the prompt, or null when none was made
   * @param measured what gates of a rollout look at, or null where none is any of its concern
   * @return what stands in the database, whoever put it there, or what will when it is back
   */
  Future<AnswerEvent.Ended> close(
      Ending end, @Nullable String promptVersion, @Nullable JsonObject measured) {
    return question
        .span()
        .around(
            SpanName.TURN_FINALIZE,
            step -> finisher.finish(
                question.user(), question.requestId(), toJson(end, promptVersion, measured)))
        .transform(stored -> Future.succeededFuture(
            stored.succeeded()
                ? told(end, new StoredAnswer(stored.result()))
                : notStored(end, promptVersion, measured, stored.cause())))
        .onSuccess(this::trace);
  }

  private void trace(AnswerEvent.Ended end) {
    Span span = question
        .span()
        .set(SpanKey.STATE, end.state())
        .set(SpanKey.FINISH_REASON, end.finishReason())
        .set(SpanKey.COST, end.costMicroUsd())
        .set(SpanKey.SOURCES, transcript.cited().size());
    if (end.error() != null) {
      span.failed(end.error().code());
    }
    span.end();
  }

  /** Another node may be about to end it. A search's text is stored nowhere, but its readers have it. */
  private AnswerEvent.Ended told(Ending end, StoredAnswer stored) {
    if (!stored.state().terminal()) {
      return end.taken().event(question.profile());
    }
    return stored.isSearch() ? stored.outcome() : stored.ended();
  }

  /** Shown but not stored: said as it is, and stored like that when the database is back. */
  private AnswerEvent.Ended notStored(
      Ending end, @Nullable String promptVersion, @Nullable JsonObject measured, Throwable cause) {
    LOG.error(
        "answer not stored: request {} cause {}",
        LogFields.request(question.requestId()),
        Diagnosis.of(cause));
    Ending told = end.notStored();
    finisher.later(question.user(), question.requestId(), toJson(told, promptVersion, measured));
    return told.event(question.profile());
  }

  private JsonObject toJson(
      Ending end, @Nullable String promptVersion, @Nullable JsonObject measured) {
    JsonObject json = end.toJson(
        transcript, promptVersion, Duration.ofNanos(System.nanoTime() - question.askedNanos()));
    return measured == null ? json : json.put("measured", measured);
  }
}
