package dev.askgateway.provider.openai;

import dev.askgateway.provider.ModelRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Requests that came in this dialect. */
final class Originals {
  private Originals() {}

  static ModelRequest request(JsonObject original) {
    return request(original, null);
  }

  static ModelRequest request(JsonObject original, Integer maxOutputTokens) {
    return new ModelRequest(
        List.of(ModelRequest.Message.of(ModelRequest.Role.USER, "q")),
        List.of(),
        ModelRequest.ToolChoice.AUTO,
        null,
        maxOutputTokens,
        null,
        null,
        List.of(),
        null,
        original);
  }
}
