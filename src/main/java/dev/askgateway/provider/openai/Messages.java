package dev.askgateway.provider.openai;

import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ProviderConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** Writes messages of no vendor as those of a chat completion. */
final class Messages {
  /** Only Google's compatible endpoint wants signatures back; others refuse members they do not know. */
  private static final String WANTS_SIGNATURES = "googleapis.com";

  private final boolean signatures;

  Messages(ProviderConfig provider) {
    this.signatures = provider.baseUrl().contains(WANTS_SIGNATURES);
  }

  JsonObject message(ModelRequest.Message message) {
    JsonObject written = new JsonObject()
        .put("role", message.role().name().toLowerCase(Locale.ROOT))
        .put("content", content(message));
    if (message.role() == Role.TOOL) {
      written.put("tool_call_id", message.callId());
    }
    if (!message.calls().isEmpty()) {
      JsonArray calls = new JsonArray();
      message.calls().forEach(call -> calls.add(call(call)));
      written.put("tool_calls", calls);
      if (message.text().isEmpty()) {
        written.putNull("content");
      }
    }
    return written;
  }

  /** A plain string where there is only text: the form that every server takes. */
  private static Object content(ModelRequest.Message message) {
    if (message.parts().stream().allMatch(ModelRequest.Text.class::isInstance)) {
      return message.text();
    }
    JsonArray parts = new JsonArray();
    for (ModelRequest.Part part : message.parts()) {
      if (part instanceof ModelRequest.Text text) {
        parts.add(new JsonObject().put("type", "text").put("text", text.text()));
      } else if (part instanceof ModelRequest.Image image) {
        JsonObject address = new JsonObject().put("url", image.url());
        parts.add(new JsonObject().put("type", "image_url").put("image_url", address));
      }
    }
    return parts;
  }

  private JsonObject call(ModelRequest.Call call) {
    JsonObject function =
        new JsonObject().put("name", call.name()).put("arguments", call.arguments());
    JsonObject written =
        new JsonObject().put("id", call.id()).put("type", "function").put("function", function);
    if (signatures && !call.signature().isEmpty()) {
      JsonObject google = new JsonObject().put("thought_signature", call.signature());
      written.put("extra_content", new JsonObject().put("google", google));
    }
    return written;
  }
}
