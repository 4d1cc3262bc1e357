package dev.askgateway.provider.openai;

import dev.askgateway.core.Prompt;
import dev.askgateway.provider.ProviderConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** Writes a prompt as the body of a chat completion. */
final class OpenAiRequest {
  private OpenAiRequest() {}

  static JsonObject body(ProviderConfig config, Prompt prompt) {
    JsonArray messages = new JsonArray();
    for (Prompt.Message message : prompt.messages()) {
      messages.add(new JsonObject()
          .put("role", message.role().name().toLowerCase(Locale.ROOT))
          .put("content", message.content()));
    }
    JsonObject body = new JsonObject()
        .put("model", config.model())
        .put("messages", messages)
        .put("stream", true)
        .put(config.maxTokensMember().wire(), prompt.maxOutputTokens());
    if (config.includeUsage()) {
      body.put("stream_options", new JsonObject().put("include_usage", true));
    }
    if (config.sendTemperature()) {
      body.put("temperature", prompt.temperature());
    }
    return body;
  }
}
