package dev.askgateway.provider.chaos.fuzz;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The text that a client of the OpenAI edge finds in a chunk. */
final class ChunkText {
  private ChunkText() {}

  /** All of it, over all choices. */
  static String of(JsonObject chunk) {
    StringBuilder text = new StringBuilder();
    for (Object choice : list(chunk.getValue("choices"))) {
      if (choice instanceof JsonObject one && one.getValue("delta") instanceof JsonObject delta) {
        content(delta.getValue("content"), text);
        string(delta.getValue("refusal"), text);
      }
    }
    return text.toString();
  }

  private static void content(Object content, StringBuilder text) {
    string(content, text);
    for (Object part : list(content)) {
      if (part instanceof JsonObject object) {
        string(object.getValue("text"), text);
      }
    }
  }

  private static void string(Object value, StringBuilder text) {
    if (value instanceof String string) {
      text.append(string);
    }
  }

  private static JsonArray list(Object value) {
    return value instanceof JsonArray list ? list : new JsonArray();
  }
}
