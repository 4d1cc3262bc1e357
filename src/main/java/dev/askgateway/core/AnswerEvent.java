package dev.askgateway.core;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The life of one answer as whoever follows it sees it, free of any wire format. The order is fixed:
 * {@link Opened}, {@link Phase} retrieving, {@link Sources} (no citations yet), {@link Phase}
 * answering, {@link TextStarted}, then {@link Text} and {@link Sources} as marks appear, {@link
 * Phase} saving, and exactly one {@link Ended}, which may come at any point after the first.
 */
public sealed interface AnswerEvent {

  <R> R match(Cases<R> cases);

  /** One method for each kind. */
  interface Cases<R> {
    R opened(Opened event);

    R phase(Phase event);

    R sources(Sources event);

    R modelCalled(ModelCalled event);

    R textStarted(TextStarted event);

    R text(Text event);

    R ended(Ended event);
  }

  /**
   * The turn exists.
   *
   * @param newThread whether this question made its thread
   */
  record Opened(TurnIds ids, Instant createdAt, List<UUID> scopeChatIds, boolean newThread)
      implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.opened(this);
    }
  }

  enum PhaseName {
    RETRIEVING,
    ANSWERING,
    SAVING;

    public String wire() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  record Phase(PhaseName phase) implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.phase(this);
    }
  }

  /**
   * The citations that the text has used so far, all of them each time.
   *
   * @param indexStatus the shape clients read: status, indexedCount, totalCount, lastIndexedAt, lastError
   * @param plan the query plan's JSON
   */
  record Sources(List<Citation> citations, JsonObject indexStatus, JsonObject plan)
      implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.sources(this);
    }
  }

  /** A model was called: shown to nobody, read by whoever settles the answer of a dead node. */
  record ModelCalled(String provider, String model, long promptChars) implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.modelCalled(this);
    }
  }

  record TextStarted() implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.textStarted(this);
    }
  }

  /** A piece of the answer: well-formed, with complete marks only. */
  record Text(String delta) implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.text(this);
    }
  }

  /**
   * The one terminal.
   *
   * @param state completed, failed or cancelled
   * @param dailyWarning whether its cost took the person over what they are warned at in a day
   * @param thread the updated thread's JSON (id, title, chat_id, created_at, updated_at), or null
   * @param error null unless the state is failed
   */
  record Ended(
      TurnState state,
      FinishReason finishReason,
      String provider,
      String model,
      String profile,
      Usage usage,
      long costMicroUsd,
      boolean dailyWarning,
      @Nullable JsonObject thread,
      @Nullable Failure error)
      implements AnswerEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.ended(this);
    }
  }

  /** What a client may know of a failure: a code of {@link GatewayError.Code} and a safe sentence. */
  record Failure(GatewayError.Code code, String message) {}
}
