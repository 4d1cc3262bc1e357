package dev.askgateway.provider.openai;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Writes a request of no vendor as the body of a chat completion. */
final class NeutralBody {
  private NeutralBody() {}

  static JsonObject of(ProviderConfig provider, ModelConfig model, ModelRequest request) {
    JsonArray messages = new JsonArray();
    Messages writer = new Messages(provider);
    request.messages().forEach(message -> messages.add(writer.message(message)));
    JsonObject body =
        new JsonObject().put("model", model.model()).put("messages", messages).put("stream", true);
    if (provider.includeUsage()) {
      body.put("stream_options", new JsonObject().put("include_usage", true));
    }
    if (request.maxOutputTokens() != null) {
      body.put(
          model.maxTokensMember().wire(),
          Math.min(request.maxOutputTokens(), model.capabilities().outputTokens()));
    }
    if (model.sendTemperature()) {
      putKnown(body, "temperature", request.temperature());
    }
    putKnown(body, "top_p", request.topP());
    if (!request.stop().isEmpty()) {
      body.put("stop", new JsonArray(request.stop()));
    }
    if (request.format() != null) {
      body.put("response_format", format(request.format()));
    }
    tools(body, request);
    return body;
  }

  private static void putKnown(JsonObject body, String member, @Nullable Object value) {
    if (value != null) {
      body.put(member, value);
    }
  }

  private static JsonObject format(ModelRequest.Format format) {
    if (format.schema() == null) {
      return new JsonObject().put("type", "json_object");
    }
    JsonObject schema = new JsonObject()
        .put("name", format.name())
        .put("schema", format.schema())
        .put("strict", format.strict());
    return new JsonObject().put("type", "json_schema").put("json_schema", schema);
  }

  private static void tools(JsonObject body, ModelRequest request) {
    if (request.tools().isEmpty()) {
      return;
    }
    JsonArray tools = new JsonArray();
    for (ModelRequest.Tool tool : request.tools()) {
      JsonObject function = new JsonObject().put("name", tool.name());
      if (!tool.description().isEmpty()) {
        function.put("description", tool.description());
      }
      function.put("parameters", tool.parameters());
      tools.add(new JsonObject().put("type", "function").put("function", function));
    }
    body.put("tools", tools);
    switch (request.toolChoice().mode()) {
      case AUTO -> {} // what a server does when it is not told
      case NONE -> body.put("tool_choice", "none");
      case REQUIRED -> body.put("tool_choice", "required");
      case NAMED ->
        body.put(
            "tool_choice",
            new JsonObject()
                .put("type", "function")
                .put(
                    "function",
                    new JsonObject().put("name", request.toolChoice().name())));
    }
  }
}
