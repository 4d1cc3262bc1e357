package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEvent.PhaseName;
import dev.askgateway.core.AnswerEventCodec;
import dev.askgateway.core.Citation;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnIds;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request as the database tells it, and the events that replay it once it is finished. */
final class StoredAnswer {
  private final JsonObject row;

  StoredAnswer(JsonObject row) {
    this.row = row;
  }

  TurnState state() {
    return TurnState.ofWire(row.getString("status"));
  }

  /** False for a search, and for a turn whose conversation was deleted. */
  boolean isKept() {
    return row.getString("content") != null;
  }

  boolean isSearch() {
    return "search".equals(row.getString("kind"));
  }

  TurnIds ids() {
    return new TurnIds(
        UUID.fromString(row.getString("requestId")),
        uuid("threadId"),
        uuid("userTurnId"),
        assistantTurnId());
  }

  UUID assistantTurnId() {
    return UUID.fromString(row.getString("assistantTurnId"));
  }

  private @Nullable UUID uuid(String name) {
    String value = row.getString(name);
    return value == null ? null : UUID.fromString(value);
  }

  List<UUID> scopeChatIds() {
    return row.getJsonArray("scopeChatIds", new JsonArray()).stream()
        .map(id -> UUID.fromString(id.toString()))
        .toList();
  }

  Instant createdAt() {
    return OffsetDateTime.parse(row.getString("createdAt")).toInstant();
  }

  String content() {
    return row.getString("content", "");
  }

  List<Citation> citations() {
    return AnswerEventCodec.citations(row.getJsonArray("citations", new JsonArray()));
  }

  JsonObject indexStatus() {
    return row.getJsonObject("index", new JsonObject());
  }

  private JsonObject plan() {
    return row.getJsonObject("queryPlan", new JsonObject());
  }

  AnswerEvent.Opened opened() {
    return new AnswerEvent.Opened(
        ids(), createdAt(), scopeChatIds(), row.getBoolean("newThread", false));
  }

  /** The terminal of a finished request for who was not there; that of one whose text is not kept says so. */
  AnswerEvent.Ended ended() {
    return state() == TurnState.COMPLETED && !isKept()
        ? terminal(TurnState.FAILED, FinishReason.ERROR, gone().code())
        : outcome();
  }

  /** The terminal as it is stored, for who has the text. */
  AnswerEvent.Ended outcome() {
    String code = result().getString("errorCode");
    return terminal(
        state(),
        FinishReason.ofWire(result().getString("finishReason", "other")),
        code == null ? null : GatewayError.Code.ofWire(code));
  }

  private AnswerEvent.Ended terminal(
      TurnState state, FinishReason reason, GatewayError.@Nullable Code error) {
    JsonObject result = result();
    return new AnswerEvent.Ended(
        state,
        reason,
        result.getString("provider", "none"),
        result.getString("model", "none"),
        row.getString("profile"),
        Usage.fromJson(result.getJsonObject("usage", new JsonObject())),
        result.getLong("costMicroUsd", 0L),
        result.getBoolean("dailyWarning", false),
        row.getJsonObject("thread"),
        error == null ? null : Failures.failure(error));
  }

  private JsonObject result() {
    return row.getJsonObject("outcome", new JsonObject());
  }

  /** All events of a finished request, in the order of a live one. */
  List<AnswerEvent> replay() {
    return rest(new Transcript());
  }

  /**
   * What is left of them for a reader who has the beginning. A reader whose text is not the beginning
   * of this one (the node that wrote it had lost the turn) gets no more text, only the end.
   */
  List<AnswerEvent> rest(Transcript seen) {
    List<AnswerEvent> events = new ArrayList<>();
    addHead(seen, events);
    if (!seen.citations().equals(citations())) {
      events.add(new AnswerEvent.Sources(citations(), indexStatus(), plan()));
    }
    if (content().startsWith(seen.text()) && content().length() > seen.text().length()) {
      events.add(new AnswerEvent.Text(content().substring(seen.text().length())));
    }
    if (state() == TurnState.COMPLETED && !seen.has(PhaseName.SAVING)) {
      events.add(new AnswerEvent.Phase(PhaseName.SAVING));
    }
    events.add(ended());
    return events;
  }

  private void addHead(Transcript seen, List<AnswerEvent> events) {
    if (!seen.opened()) {
      events.add(opened());
    }
    if (!seen.has(PhaseName.RETRIEVING)) {
      events.add(new AnswerEvent.Phase(PhaseName.RETRIEVING));
    }
    if (!seen.hasSources()) {
      events.add(new AnswerEvent.Sources(List.of(), indexStatus(), plan()));
    }
    if (!content().isEmpty() && !seen.has(PhaseName.ANSWERING)) {
      events.add(new AnswerEvent.Phase(PhaseName.ANSWERING));
    }
    if (!content().isEmpty() && !seen.textStarted()) {
      events.add(new AnswerEvent.TextStarted());
    }
  }

  /** The error of a request that cannot be replayed any more. */
  GatewayError gone() {
    return isSearch()
        ? new GatewayError(
            GatewayError.Code.REQUEST_CONFLICT,
            "This search was answered; searches are not kept. Ask again under a new request id.")
        : GatewayError.notFound("thread");
  }
}
