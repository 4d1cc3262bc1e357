package dev.askgateway.provider.openai;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** Writes a prompt as the body of a chat completion. */
final class OpenAiRequest {
  private OpenAiRequest() {}

  static JsonObject body(ProviderConfig provider, ModelConfig model, ModelRequest request) {
    JsonArray messages = new JsonArray();
    for (ModelRequest.Message message : request.messages()) {
      messages.add(new JsonObject()
          .put("role", message.role().name().toLowerCase(Locale.ROOT))
          .put("content", message.text()));
    }
    JsonObject body =
        new JsonObject().put("model", model.model()).put("messages", messages).put("stream", true);
    if (request.maxOutputTokens() != null) {
      body.put(model.maxTokensMember().wire(), request.maxOutputTokens());
    }
    if (provider.includeUsage()) {
      body.put("stream_options", new JsonObject().put("include_usage", true));
    }
    if (model.sendTemperature() && request.temperature() != null) {
      body.put("temperature", request.temperature());
    }
    return body;
  }
}
