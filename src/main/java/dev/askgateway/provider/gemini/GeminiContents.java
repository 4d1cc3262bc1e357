package dev.askgateway.provider.gemini;

import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Role;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes messages as contents of the two roles that Gemini knows. Neighbours of one role become one
 * content, as all results of a turn's calls have to. What is empty is left out: it would be refused.
 */
final class GeminiContents {
  private final JsonArray contents = new JsonArray();
  private final Map<String, String> toolOfCall = new HashMap<>();

  private GeminiContents() {}

  static JsonArray of(List<ModelRequest.Message> messages) {
    GeminiContents writer = new GeminiContents();
    messages.stream().filter(message -> message.role() != Role.SYSTEM).forEach(writer::write);
    return writer.contents;
  }

  /** Parts of a text. */
  static JsonArray text(String text) {
    return new JsonArray().add(new JsonObject().put("text", text));
  }

  private void write(ModelRequest.Message message) {
    if (message.role() == Role.TOOL) {
      append("user", new JsonArray().add(result(message)));
      return;
    }
    JsonArray parts = new JsonArray();
    for (ModelRequest.Part part : message.parts()) {
      if (part instanceof ModelRequest.Image image) {
        parts.add(GeminiImage.part(image.url()));
      } else if (part instanceof ModelRequest.Text text && !text.text().isEmpty()) {
        parts.add(new JsonObject().put("text", text.text()));
      }
    }
    message.calls().forEach(call -> parts.add(call(call)));
    append(message.role() == Role.ASSISTANT ? "model" : "user", parts);
  }

  private void append(String role, JsonArray parts) {
    if (parts.isEmpty()) {
      return;
    }
    JsonObject last = contents.isEmpty() ? null : contents.getJsonObject(contents.size() - 1);
    if (last != null && role.equals(last.getString("role"))) {
      last.getJsonArray("parts").addAll(parts);
    } else {
      contents.add(new JsonObject().put("role", role).put("parts", parts));
    }
  }

  private JsonObject call(ModelRequest.Call call) {
    toolOfCall.put(call.id(), call.name()); // the later of two calls of one id counts
    Object arguments = GeminiErrors.tryParse(call.arguments());
    JsonObject part = new JsonObject()
        .put(
            "functionCall",
            named(call.id(), call.name())
                .put("args", arguments instanceof JsonObject object ? object : new JsonObject()));
    return call.signature().isEmpty() ? part : part.put("thoughtSignature", call.signature());
  }

  /** A result names its tool, which only the call before it knows. */
  private JsonObject result(ModelRequest.Message message) {
    String name = toolOfCall.getOrDefault(message.callId(), message.callId());
    Object json = GeminiErrors.tryParse(message.text());
    JsonObject response = json instanceof JsonObject object
        ? object
        : new JsonObject().put("output", json == null ? message.text() : json);
    return new JsonObject()
        .put("functionResponse", named(message.callId(), name).put("response", response));
  }

  private static JsonObject named(String id, String name) {
    JsonObject named = new JsonObject();
    if (!id.isEmpty() && !GeminiCalls.isMade(id)) {
      named.put("id", id);
    }
    return named.put("name", name);
  }
}
