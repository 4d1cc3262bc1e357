package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import dev.askgateway.relay.ErrorTable;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** A stored request as clients read it: the turn first, then what belongs to it. */
final class RequestJson {
  private static final List<String> SAME = List.of(
      "requestId", "kind", "status", "profile", "thread", "queryPlan", "userTurnId", "finishedAt");
  private static final List<String> OUTCOME =
      List.of("provider", "model", "finishReason", "usage", "costMicroUsd", "dailyWarning");

  private RequestJson() {}

  /** Leaves out what is not known yet; never shows a lease or a node. */
  static JsonObject of(JsonObject stored) {
    JsonObject json = new JsonObject();
    SAME.forEach(name -> copy(stored, name, json));
    JsonObject outcome = stored.getJsonObject("outcome");
    if (outcome != null) {
      OUTCOME.forEach(name -> copy(outcome, name, json));
      String code = outcome.getString("errorCode");
      if (code != null) {
        ErrorTable.Row row = ErrorTable.rowFor(GatewayError.Code.ofWire(code));
        json.put(
            "error", new JsonObject().put("code", row.code()).put("retryable", row.retryable()));
      }
    }
    if (stored.getValue("index") != null) {
      json.put("indexing", stored.getValue("index"));
    }
    return json.put("turn", turn(stored));
  }

  private static JsonObject turn(JsonObject stored) {
    JsonObject turn = new JsonObject()
        .put("id", stored.getString("assistantTurnId"))
        .put("role", "assistant")
        .put("content", stored.getString("content", ""))
        .put("citations", stored.getJsonArray("citations", new JsonArray()))
        .put("actions", new JsonArray())
        .put("scope_chat_ids", stored.getJsonArray("scopeChatIds", new JsonArray()))
        .put("status", stored.getString("status"))
        .put("request_id", stored.getString("requestId"))
        .put("created_at", stored.getString("createdAt"));
    if (turn.getValue("content") == null) {
      turn.put("content", "").put("citations", new JsonArray()); // a search, which no thread keeps
    }
    copy(stored, "queryPlan", turn);
    return turn;
  }

  private static void copy(JsonObject from, String name, JsonObject to) {
    Object value = from.getValue(name);
    if (value != null) {
      to.put(name, value);
    }
  }
}
