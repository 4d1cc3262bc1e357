package dev.askgateway.provider.chaos;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.chaos.Script.Call;
import dev.askgateway.provider.chaos.Script.Piece;
import dev.askgateway.provider.chaos.Script.Text;
import dev.askgateway.provider.chaos.Script.Thought;
import dev.askgateway.provider.chaos.Script.Tokens;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Anthropic's Messages. */
record AnthropicWording(Set<Habit> habits) implements Wording {
  @Override
  public Dialect dialect() {
    return Dialect.ANTHROPIC;
  }

  @Override
  public List<String> events(Script script) {
    List<String> events = new ArrayList<>();
    if (habits.contains(Habit.PREFACE)) {
      events.add(ping());
    }
    events.add(start(script));
    Piece before = null;
    int index = -1;
    for (Piece piece : script.pieces()) {
      if (before == null || !sameBlock(before, piece)) {
        if (before != null) {
          events.add(stop(before, index));
        }
        events.add(open(piece, ++index));
      }
      if (habits.contains(Habit.PINGS)) {
        events.add(ping());
      }
      deltas(piece, index, events);
      before = piece;
    }
    if (before == null) {
      events.add(open(new Text(""), 0)); // as after a preamble whose text never came
    }
    boolean whole = script.finish() != null || script.endMarker();
    if (whole) {
      events.add(stop(before, Math.max(0, index)));
    }
    closing(script, events);
    return events;
  }

  private static boolean sameBlock(Piece before, Piece piece) {
    return before.getClass() == piece.getClass() && !(piece instanceof Call);
  }

  private String start(Script script) {
    Tokens tokens = script.tokens() == null ? new Tokens(12, 0, 1, 0) : script.tokens();
    JsonObject message = new JsonObject()
        .put("id", "msg_7")
        .put("type", "message")
        .put("role", "assistant")
        .put("model", "claude-x")
        .put("content", new JsonArray())
        .putNull("stop_reason")
        .putNull("stop_sequence")
        .put("usage", usage(tokens).put("output_tokens", 1));
    return event("message_start", new JsonObject().put("message", message));
  }

  private static JsonObject usage(Tokens tokens) {
    return new JsonObject()
        .put("input_tokens", tokens.input() - tokens.cached())
        .put("cache_creation_input_tokens", 0)
        .put("cache_read_input_tokens", tokens.cached())
        .put("output_tokens", tokens.output());
  }

  private String open(Piece piece, int index) {
    JsonObject block;
    if (piece instanceof Thought) {
      block = new JsonObject().put("type", "thinking").put("thinking", "").put("signature", "");
    } else if (piece instanceof Call call) {
      block = new JsonObject()
          .put("type", "tool_use")
          .put("id", call.id())
          .put("name", call.name())
          .put("input", new JsonObject());
    } else {
      block = new JsonObject().put("type", "text").put("text", "");
    }
    return event(
        "content_block_start", new JsonObject().put("index", index).put("content_block", block));
  }

  private void deltas(Piece piece, int index, List<String> events) {
    if (piece instanceof Text text) {
      events.add(delta(index, "text_delta", "text", text.text()));
    } else if (piece instanceof Thought thought) {
      events.add(delta(index, "thinking_delta", "thinking", thought.text()));
    } else if (piece instanceof Call call) {
      call.arguments()
          .forEach(part -> events.add(delta(index, "input_json_delta", "partial_json", part)));
    }
    if (habits.contains(Habit.NEWS)) {
      events.add(delta(index, "shimmer_delta", "shimmer", "x"));
      events.add(event("content_block_hint", new JsonObject().put("index", index)));
    }
  }

  private String stop(Piece piece, int index) {
    String signature =
        piece instanceof Thought ? delta(index, "signature_delta", "signature", "c2ln") : "";
    return signature + event("content_block_stop", new JsonObject().put("index", index));
  }

  private void closing(Script script, List<String> events) {
    if (script.finish() != null) {
      JsonObject data = new JsonObject()
          .put(
              "delta",
              new JsonObject().put("stop_reason", finish(script)).putNull("stop_sequence"));
      if (script.tokens() != null) {
        JsonObject usage = habits.contains(Habit.USAGE_EVERYWHERE)
            ? usage(script.tokens())
            : new JsonObject().put("output_tokens", script.tokens().output());
        data.put("usage", habits.contains(Habit.NULLS) ? usage.putNull("server_tool_use") : usage);
      }
      events.add(event("message_delta", data));
    }
    if (script.endMarker()) {
      events.add(event("message_stop", new JsonObject()));
    }
  }

  private static String finish(Script script) {
    return switch (script.finish()) {
      case STOP -> "end_turn";
      case LENGTH -> "max_tokens";
      case TOOL_CALLS -> "tool_use";
      case FILTER -> "refusal";
    };
  }

  private static String delta(int index, String type, String member, String value) {
    return event(
        "content_block_delta",
        new JsonObject()
            .put("index", index)
            .put("delta", new JsonObject().put("type", type).put(member, value)));
  }

  @Override
  public String error(int status) {
    return "event: error\ndata: " + refusal(status) + "\n\n";
  }

  @Override
  public String refusal(int status) {
    String type =
        switch (status) {
          case 413 -> "request_too_large";
          case 400, 422 -> "invalid_request_error";
          case 401 -> "authentication_error";
          case 429 -> "rate_limit_error";
          case 529 -> "overloaded_error";
          default -> "api_error";
        };
    return new JsonObject()
        .put("type", "error")
        .put("error", new JsonObject().put("type", type).put("message", "no"))
        .encode();
  }

  @Override
  public String ping() {
    return event("ping", new JsonObject());
  }

  @Override
  public String malformed() {
    return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
        + "\"delta\":{\"type\":\"text_delta\",\"text\":\"bro\n\n";
  }

  private static String event(String type, JsonObject data) {
    return "event: " + type + "\ndata: "
        + new JsonObject().put("type", type).mergeIn(data).encode() + "\n\n";
  }
}
