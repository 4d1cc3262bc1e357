package dev.askgateway.provider.chaos;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.chaos.Script.Call;
import dev.askgateway.provider.chaos.Script.Finish;
import dev.askgateway.provider.chaos.Script.Piece;
import dev.askgateway.provider.chaos.Script.Text;
import dev.askgateway.provider.chaos.Script.Thought;
import dev.askgateway.provider.chaos.Script.Tokens;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Google's streamGenerateContent with {@code alt=sse}: every event a whole response, no end marker. */
record GeminiWording(Set<Habit> habits) implements Wording {
  @Override
  public Dialect dialect() {
    return Dialect.GEMINI;
  }

  @Override
  public List<String> events(Script script) {
    List<String> events = new ArrayList<>();
    boolean blocked = script.pieces().isEmpty()
        && script.finish() == Finish.FILTER
        && habits.contains(Habit.PREFACE);
    if (blocked) {
      events.add(event(response(script, "blocked")
          .put("promptFeedback", new JsonObject().put("blockReason", "PROHIBITED_CONTENT"))));
      return events;
    }
    events.add(candidate(script, new JsonArray().add(new JsonObject().put("text", "")), null));
    for (int i = 0; i < script.pieces().size(); i++) {
      if (habits.contains(Habit.PINGS)) {
        events.add(ping());
      }
      JsonArray parts = parts(script.pieces().get(i));
      boolean last = i == script.pieces().size() - 1;
      boolean together = last && habits.contains(Habit.FINISH_WITH_LAST) && script.finish() != null;
      events.add(candidate(script, parts, together ? finish(script) : null));
      if (together) {
        return events;
      }
    }
    if (script.finish() != null) {
      boolean bare = script.finish() == Finish.FILTER || habits.contains(Habit.NULLS);
      JsonArray parts = new JsonArray().add(new JsonObject().put("text", ""));
      events.add(candidate(script, bare ? null : parts, finish(script)));
    }
    return events;
  }

  private JsonArray parts(Piece piece) {
    JsonArray parts = new JsonArray();
    if (piece instanceof Thought thought) {
      parts.add(new JsonObject().put("text", thought.text()).put("thought", true));
    } else if (piece instanceof Call call) {
      JsonObject function = new JsonObject()
          .put("name", call.name())
          .put("args", new JsonObject(String.join("", call.arguments())));
      parts.add(new JsonObject().put("functionCall", function).put("thoughtSignature", "c2ln"));
    } else {
      parts.add(new JsonObject().put("text", ((Text) piece).text()));
    }
    if (habits.contains(Habit.PARTS)) {
      parts.add(new JsonObject().put("text", "").put("thoughtSignature", "c2ln"));
    }
    return habits.contains(Habit.NEWS)
        ? parts.add(new JsonObject().put("executableCode", new JsonObject().put("code", "1")))
        : parts;
  }

  private String candidate(Script script, JsonArray parts, String reason) {
    JsonObject candidate = new JsonObject().put("index", 0);
    if (parts != null) {
      candidate.put("content", new JsonObject().put("role", "model").put("parts", parts));
    }
    if (reason != null) {
      candidate.put("finishReason", reason);
    }
    return event(response(script, reason).put("candidates", new JsonArray().add(candidate)));
  }

  private JsonObject response(Script script, String reason) {
    JsonObject response = new JsonObject().put("modelVersion", "gemini-x").put("responseId", "r7");
    Tokens tokens = script.tokens();
    if (tokens == null) {
      return response;
    }
    JsonObject usage = new JsonObject().put("promptTokenCount", tokens.input());
    if (reason != null || habits.contains(Habit.USAGE_EVERYWHERE)) {
      usage
          .put("cachedContentTokenCount", tokens.cached())
          .put("candidatesTokenCount", tokens.output() - tokens.reasoning())
          .put("thoughtsTokenCount", tokens.reasoning())
          .put("totalTokenCount", tokens.input() + tokens.output());
    }
    return response.put("usageMetadata", usage);
  }

  private static String finish(Script script) {
    return switch (script.finish()) {
      case STOP, TOOL_CALLS -> "STOP";
      case LENGTH -> "MAX_TOKENS";
      case FILTER -> "SAFETY";
    };
  }

  @Override
  public String error(int status) {
    return "data: " + refusal(status) + "\n\n";
  }

  @Override
  public String refusal(int status) {
    String name =
        switch (status) {
          case 400, 413, 422 -> "INVALID_ARGUMENT";
          case 401 -> "UNAUTHENTICATED";
          case 429 -> "RESOURCE_EXHAUSTED";
          case 500 -> "INTERNAL";
          default -> "UNAVAILABLE";
        };
    return new JsonObject()
        .put("error", new JsonObject().put("code", status).put("message", "no").put("status", name))
        .encode();
  }

  @Override
  public String ping() {
    return ": ping\n\n";
  }

  @Override
  public String malformed() {
    return "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"bro\n\n";
  }

  private static String event(JsonObject data) {
    return "data: " + data.encode() + "\n\n";
  }
}
