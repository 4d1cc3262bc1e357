package dev.askgateway.relay.edge;

import dev.askgateway.core.TokenEvent;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An assistant's message, put together from its deltas. */
final class MessagePieces {
  /** Members whose pieces are joined; of others the last value stands. */
  private static final Set<String> TEXTS =
      Set.of("content", "reasoning_content", "reasoning", "refusal");

  private final Map<String, StringBuilder> texts = new LinkedHashMap<>();
  private final JsonObject others = new JsonObject();
  private final Map<Integer, Call> calls = new TreeMap<>();

  private static final class Call {
    final JsonObject members = new JsonObject();
    final JsonObject function = new JsonObject();
    final StringBuilder arguments = new StringBuilder();
  }

  void append(String text, String piece) {
    texts.computeIfAbsent(text, first -> new StringBuilder()).append(piece);
  }

  void call(TokenEvent.ToolCall piece) {
    Call call = call(piece.index());
    if (!piece.id().isEmpty()) {
      call.members.put("id", piece.id());
    }
    if (!piece.name().isEmpty()) {
      call.function.put("name", piece.name());
    }
    if (!piece.signature().isEmpty()) {
      call.members.put(
          "extra_content",
          new JsonObject()
              .put("google", new JsonObject().put("thought_signature", piece.signature())));
    }
    call.arguments.append(piece.arguments());
  }

  private Call call(int index) {
    return calls.computeIfAbsent(index, first -> new Call());
  }

  /** Adds a delta as upstream wrote it. */
  void add(JsonObject delta) {
    for (var member : delta) {
      String name = member.getKey();
      Object value = delta.getValue(name);
      if (name.equals("tool_calls")) {
        addCalls(value);
      } else if (TEXTS.contains(name) && value instanceof String piece) {
        append(name, piece);
      } else if (!name.equals("role")) {
        CompletionCollector.keep(others, name, value);
      }
    }
  }

  private void addCalls(@Nullable Object pieces) {
    if (pieces instanceof JsonArray list) {
      for (int i = 0; i < list.size(); i++) {
        if (list.getValue(i) instanceof JsonObject piece) {
          addCall(piece, piece.getValue("index") instanceof Number n ? n.intValue() : i);
        }
      }
    }
  }

  private void addCall(JsonObject piece, int index) {
    Call call = call(index);
    for (var member : piece) {
      Object value = piece.getValue(member.getKey());
      if (member.getKey().equals("function") && value instanceof JsonObject function) {
        addFunction(call, function);
      } else if (!member.getKey().equals("index") && !"".equals(value)) {
        CompletionCollector.keep(call.members, member.getKey(), value);
      }
    }
  }

  private static void addFunction(Call call, JsonObject function) {
    for (var member : function) {
      Object value = function.getValue(member.getKey());
      if (member.getKey().equals("arguments") && value instanceof String piece) {
        call.arguments.append(piece);
      } else if (!"".equals(value)) {
        CompletionCollector.keep(call.function, member.getKey(), value);
      }
    }
  }

  /** The message. One without text has a content of null, as clients expect beside tool calls. */
  JsonObject whole() {
    JsonObject message = new JsonObject().put("role", "assistant");
    message.put("content", calls.isEmpty() && texts.get("refusal") == null ? "" : null);
    message.put("refusal", null);
    others.forEach(other -> CompletionCollector.keep(message, other.getKey(), other.getValue()));
    texts.forEach((name, text) -> {
      if (!text.isEmpty()) {
        message.put(name, text.toString());
      }
    });
    if (!calls.isEmpty()) {
      JsonArray list = new JsonArray();
      calls.values().forEach(call -> {
        JsonObject whole = new JsonObject().put("id", null).put("type", "function");
        call.members.forEach(
            member -> CompletionCollector.keep(whole, member.getKey(), member.getValue()));
        list.add(whole.put("function", call.function.put("arguments", call.arguments.toString())));
      });
      message.put("tool_calls", list);
    }
    return message;
  }
}
