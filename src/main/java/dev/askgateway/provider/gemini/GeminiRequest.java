package dev.askgateway.provider.gemini;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** Writes what a model is asked as the body of a generateContent. */
final class GeminiRequest {
  private GeminiRequest() {}

  static JsonObject body(ModelConfig model, ModelRequest request) {
    JsonArray contents = GeminiContents.of(request.messages());
    String system = system(request.messages());
    JsonObject body = new JsonObject();
    if (!system.isEmpty() && !contents.isEmpty()) {
      body.put("systemInstruction", new JsonObject().put("parts", GeminiContents.text(system)));
    } else if (!system.isEmpty()) {
      // A request of system text alone is refused: it is what the user says then.
      contents.add(new JsonObject().put("role", "user").put("parts", GeminiContents.text(system)));
    }
    body.put("contents", contents);
    if (!request.tools().isEmpty()) {
      body.put("tools", new JsonArray().add(declarations(request.tools())))
          .put("toolConfig", toolConfig(request.toolChoice()));
    }
    JsonObject config = generation(model, request);
    return config.isEmpty() ? body : body.put("generationConfig", config);
  }

  private static String system(List<ModelRequest.Message> messages) {
    return messages.stream()
        .filter(message -> message.role() == Role.SYSTEM)
        .map(ModelRequest.Message::text)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("\n\n"));
  }

  private static JsonObject declarations(List<ModelRequest.Tool> tools) {
    JsonArray declarations = new JsonArray();
    for (ModelRequest.Tool tool : tools) {
      JsonObject declaration = new JsonObject().put("name", tool.name());
      if (!tool.description().isBlank()) {
        declaration.put("description", tool.description());
      }
      JsonObject parameters = GeminiSchema.of(tool.parameters());
      if (parameters.containsKey("properties")) {
        declaration.put("parameters", parameters); // an object without members is refused
      }
      declarations.add(declaration);
    }
    return new JsonObject().put("functionDeclarations", declarations);
  }

  private static JsonObject toolConfig(ToolChoice choice) {
    JsonObject calling = new JsonObject()
        .put(
            "mode",
            switch (choice.mode()) {
              case AUTO -> "AUTO";
              case NONE -> "NONE";
              case REQUIRED, NAMED -> "ANY";
            });
    if (choice.mode() == ToolChoice.Mode.NAMED) {
      calling.put("allowedFunctionNames", new JsonArray().add(choice.name()));
    }
    return new JsonObject().put("functionCallingConfig", calling);
  }

  private static JsonObject generation(ModelConfig model, ModelRequest request) {
    JsonObject config = new JsonObject();
    if (request.maxOutputTokens() != null) {
      config.put("maxOutputTokens", request.maxOutputTokens());
    }
    if (model.sendTemperature() && request.temperature() != null) {
      config.put("temperature", request.temperature());
    }
    if (request.topP() != null) {
      config.put("topP", request.topP());
    }
    if (!request.stop().isEmpty()) {
      config.put("stopSequences", new JsonArray(request.stop()));
    }
    ModelRequest.Format format = request.format();
    if (format != null) {
      config.put("responseMimeType", "application/json");
      if (format.schema() != null) {
        config.put("responseSchema", GeminiSchema.of(format.schema()));
      }
    }
    return config;
  }
}
