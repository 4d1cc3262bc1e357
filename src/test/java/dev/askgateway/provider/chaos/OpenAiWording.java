package dev.askgateway.provider.chaos;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.chaos.Script.Call;
import dev.askgateway.provider.chaos.Script.Piece;
import dev.askgateway.provider.chaos.Script.Text;
import dev.askgateway.provider.chaos.Script.Thought;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Chat completions of OpenAI and of those who speak like it. */
record OpenAiWording(Set<Habit> habits) implements Wording {
  @Override
  public Dialect dialect() {
    return Dialect.OPENAI;
  }

  @Override
  public List<String> events(Script script) {
    List<String> events = new ArrayList<>();
    if (habits.contains(Habit.PREFACE)) {
      events.add(event(new JsonObject("{\"choices\":[],\"created\":0,\"id\":\"\",\"model\":\"\","
          + "\"prompt_filter_results\":[{\"prompt_index\":0}]}")));
    }
    events.add(
        delta(script, new JsonObject().put("role", "assistant").put("content", ""), null, false));
    int call = 0;
    for (int i = 0; i < script.pieces().size(); i++) {
      if (habits.contains(Habit.PINGS)) {
        events.add(ping());
      }
      Piece piece = script.pieces().get(i);
      boolean last = i == script.pieces().size() - 1;
      if (piece instanceof Call tool) {
        calls(script, tool, call++, events);
      } else {
        events.add(delta(script, delta(piece), finish(script), last && together(script, piece)));
      }
    }
    closing(script, events);
    return events;
  }

  private boolean together(Script script, Piece piece) {
    return habits.contains(Habit.FINISH_WITH_LAST)
        && script.finish() != null
        && piece instanceof Text;
  }

  private void closing(Script script, List<String> events) {
    List<Piece> pieces = script.pieces();
    boolean said = !pieces.isEmpty() && together(script, pieces.get(pieces.size() - 1));
    if (script.finish() != null && !said) {
      events.add(delta(script, new JsonObject(), finish(script), true));
    }
    if (script.tokens() != null) {
      events.add(event(head().put("choices", new JsonArray()).put("usage", usage(script))));
    }
    if (script.endMarker()) {
      events.add("data: [DONE]\n\n");
    }
  }

  private void calls(Script script, Call call, int index, List<String> events) {
    JsonObject first = new JsonObject()
        .put("index", index)
        .put("id", call.id())
        .put("type", "function")
        .put("function", new JsonObject().put("name", call.name()).put("arguments", ""));
    events.add(toolDelta(script, first));
    for (String piece : call.arguments()) {
      JsonObject more = new JsonObject()
          .put("index", index)
          .put("function", new JsonObject().put("arguments", piece));
      events.add(toolDelta(script, more));
    }
  }

  private String toolDelta(Script script, JsonObject call) {
    return delta(
        script, new JsonObject().put("tool_calls", new JsonArray().add(call)), null, false);
  }

  private JsonObject delta(Piece piece) {
    if (piece instanceof Thought thought) {
      return new JsonObject().put("reasoning_content", thought.text());
    }
    String text = ((Text) piece).text();
    JsonObject delta = new JsonObject();
    if (habits.contains(Habit.PARTS)) {
      return delta.put(
          "content", new JsonArray().add(new JsonObject().put("type", "text").put("text", text)));
    }
    return delta.put("content", text);
  }

  private String delta(Script script, JsonObject delta, String reason, boolean finished) {
    JsonObject choice = new JsonObject().put("index", 0).put("delta", delta);
    if (habits.contains(Habit.NULLS)) {
      choice.putNull("logprobs");
      delta.putNull("refusal").putNull("function_call");
    }
    choice.put("finish_reason", finished ? reason : null);
    JsonObject event = head().put("choices", new JsonArray().add(choice));
    if (habits.contains(Habit.USAGE_EVERYWHERE) && script.tokens() != null) {
      event.put("usage", usage(script));
    } else if (habits.contains(Habit.NULLS)) {
      event.putNull("usage").putNull("error");
    }
    return event(event);
  }

  private JsonObject head() {
    JsonObject head = new JsonObject()
        .put("id", "chatcmpl-7")
        .put("object", "chat.completion.chunk")
        .put("created", 1_770_000_000)
        .put("model", "gpt-x");
    return habits.contains(Habit.NEWS)
        ? head.put("service_tier", "default").put("obfuscation", "aB3")
        : head;
  }

  private static String finish(Script script) {
    if (script.finish() == null) {
      return null;
    }
    return switch (script.finish()) {
      case STOP -> "stop";
      case LENGTH -> "length";
      case TOOL_CALLS -> "tool_calls";
      case FILTER -> "content_filter";
    };
  }

  private static JsonObject usage(Script script) {
    Script.Tokens tokens = script.tokens();
    return new JsonObject()
        .put("prompt_tokens", tokens.input())
        .put("completion_tokens", tokens.output())
        .put("total_tokens", tokens.input() + tokens.output())
        .put("prompt_tokens_details", new JsonObject().put("cached_tokens", tokens.cached()))
        .put(
            "completion_tokens_details",
            new JsonObject().put("reasoning_tokens", tokens.reasoning()));
  }

  @Override
  public String error(int status) {
    return event(new JsonObject(refusal(status)));
  }

  @Override
  public String refusal(int status) {
    return new JsonObject()
        .put(
            "error",
            new JsonObject()
                .put("message", "no")
                .put("type", status == 429 ? "rate_limit_exceeded" : "server_error")
                .put("code", status))
        .encode();
  }

  @Override
  public String ping() {
    return ": OPENROUTER PROCESSING\n\n";
  }

  @Override
  public String malformed() {
    return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"bro\n\n";
  }

  private static String event(JsonObject data) {
    return "data: " + data.encode() + "\n\n";
  }
}
