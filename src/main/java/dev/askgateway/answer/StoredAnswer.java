package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
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

  AnswerEvent.Sources sources() {
    return new AnswerEvent.Sources(citations(), indexStatus(), plan());
  }

  /** The terminal of a finished request. */
  AnswerEvent.Ended ended() {
    JsonObject outcome = row.getJsonObject("outcome", new JsonObject());
    String code = outcome.getString("errorCode");
    TurnState state = state();
    return new AnswerEvent.Ended(
        state,
        FinishReason.ofWire(outcome.getString("finishReason", "other")),
        outcome.getString("provider", "none"),
        outcome.getString("model", "none"),
        row.getString("profile"),
        Usage.fromJson(outcome.getJsonObject("usage", new JsonObject())),
        outcome.getLong("costMicroUsd", 0L),
        row.getJsonObject("thread"),
        state == TurnState.FAILED && code != null ? Failures.failure(code) : null);
  }

  /** All events of a finished request, in the order of a live one. */
  List<AnswerEvent> replay() {
    List<AnswerEvent> events = new ArrayList<>();
    events.add(opened());
    events.add(new AnswerEvent.Phase(AnswerEvent.PhaseName.RETRIEVING));
    events.add(new AnswerEvent.Sources(List.of(), indexStatus(), plan()));
    if (!content().isEmpty()) {
      events.add(new AnswerEvent.Phase(AnswerEvent.PhaseName.ANSWERING));
      events.add(new AnswerEvent.TextStarted());
      events.addAll(rest(""));
    }
    if (state() == TurnState.COMPLETED) {
      events.add(new AnswerEvent.Phase(AnswerEvent.PhaseName.SAVING));
    }
    events.add(ended());
    return events;
  }

  /** What is left of the text, with its citations, for a reader who has the beginning. */
  List<AnswerEvent> rest(String shown) {
    String content = content();
    if (!content.startsWith(shown) || content.length() == shown.length()) {
      return List.of();
    }
    return List.of(sources(), new AnswerEvent.Text(content.substring(shown.length())));
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
