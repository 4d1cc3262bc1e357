package dev.askgateway.provider.anthropic;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Role;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a request as the body of Messages. */
final class AnthropicRequest {
  private AnthropicRequest() {}

  static JsonObject body(ModelConfig model, ModelRequest request) {
    Integer cap = request.maxOutputTokens();
    JsonObject body = new JsonObject()
        .put("model", model.model())
        .put("max_tokens", cap == null ? model.capabilities().outputTokens() : cap)
        .put("stream", true);
    talk(body, request);
    AnthropicTools.put(body, request);
    if (!request.stop().isEmpty()) {
      body.put("stop_sequences", new JsonArray(request.stop()));
    }
    if (model.sendTemperature()) {
      sampling(body, request);
    }
    return body;
  }

  /** System messages stand apart, in their order: what is always the same stays in front. */
  private static void talk(JsonObject body, ModelRequest request) {
    String system = request.messages().stream()
        .filter(message -> message.role() == Role.SYSTEM)
        .map(Message::text)
        .filter(text -> !text.isBlank())
        .collect(Collectors.joining("\n\n"));
    JsonArray messages = AnthropicMessages.of(request.messages());
    if (messages.isEmpty() && !system.isEmpty()) { // somebody has to speak
      body.put("messages", AnthropicMessages.of(List.of(Message.of(Role.USER, system))));
      return;
    }
    if (!system.isEmpty()) {
      body.put("system", system);
    }
    body.put("messages", messages);
  }

  /** One of the two: newer models refuse both together. The temperature goes from 0 to 1 here. */
  private static void sampling(JsonObject body, ModelRequest request) {
    Double temperature = request.temperature();
    if (temperature != null) {
      body.put("temperature", Math.max(0, Math.min(1, temperature)));
    } else if (request.topP() != null) {
      body.put("top_p", request.topP());
    }
  }
}
