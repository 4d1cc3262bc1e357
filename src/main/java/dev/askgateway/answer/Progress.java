package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Route;
import dev.askgateway.core.TurnIds;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens to one request on its way, noted for its summary. On the request's own loop. */
public final class Progress {
  private final long askedNanos;
  private long estimatedMicroUsd;
  private int calls;
  private @Nullable String first;
  private @Nullable Duration firstStatus;
  private @Nullable Duration firstOutput;
  private @Nullable Route route;
  private int windows;

  /** @param askedNanos when it was asked, by {@link System#nanoTime} */
  public Progress(long askedNanos) {
    this.askedNanos = askedNanos;
  }

  /** So much is held for it. */
  public void held(long microUsd) {
    estimatedMicroUsd = microUsd;
  }

  /** A model is called for its answer. */
  public void called(String provider, String model) {
    calls++;
    if (first == null) {
      first = name(provider, model);
    }
  }

  /** Whether any model was called. */
  public boolean called() {
    return calls > 0;
  }

  /** Its first output is there, whatever it is. */
  public void output() {
    if (firstOutput == null) {
      firstOutput = sinceAsked();
    }
  }

  void status() {
    firstStatus = sinceAsked();
  }

  void found(Route taken, int pieces) {
    route = taken;
    windows = pieces;
  }

  /** The time since it was asked. */
  public Duration sinceAsked() {
    return Duration.ofNanos(System.nanoTime() - askedNanos);
  }

  /** When its first text came, if one did, and how long it took. */
  JsonObject times() {
    return new JsonObject()
        .put("firstTextMs", firstOutput == null ? null : firstOutput.toMillis())
        .put("tookMs", sinceAsked().toMillis());
  }

  private static String name(String provider, String model) {
    return provider + ":" + model;
  }

  /** Of an answer over a person's messages. */
  RequestSummary ofAnswer(TurnIds ids, String profile, int sources, AnswerEvent.Ended end) {
    return summary(
        RequestSummary.Kind.ANSWER,
        ids.requestId(),
        ids.assistantTurnId(),
        ids.threadId(),
        profile,
        sources,
        end);
  }

  /** Of a completion or an embedding, which asked for that model or profile. */
  public RequestSummary of(
      RequestSummary.Kind kind, UUID requestId, String model, AnswerEvent.Ended end) {
    return summary(kind, requestId, null, null, model, 0, end);
  }

  private RequestSummary summary(
      RequestSummary.Kind kind,
      UUID requestId,
      @Nullable UUID turnId,
      @Nullable UUID threadId,
      String profile,
      int sources,
      AnswerEvent.Ended end) {
    return new RequestSummary(
        kind,
        requestId,
        turnId,
        threadId,
        profile,
        route,
        windows,
        sources,
        calls,
        first != null && !first.equals(name(end.provider(), end.model())),
        estimatedMicroUsd,
        firstStatus,
        firstOutput,
        sinceAsked(),
        end);
  }
}
