package dev.askgateway.intake.ask;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.SafeText;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The question of a body, whichever of its forms it came in.
 *
 * @param text 1 to 2,000 code points, trimmed and well-formed
 * @param fromSdk whether the body is that of the AI SDK's transport
 * @param messageId the id the client gave its question, or null
 */
record Asked(String text, boolean fromSdk, @Nullable String messageId) {
  /** Longest question. Code points, so that an emoji counts once on every client. */
  static final int MAX_LENGTH = 2000;

  static Asked of(JsonObject body) {
    int forms = 0;
    for (String form : new String[] {"question", "messages", "message"}) {
      forms += body.getValue(form) == null ? 0 : 1;
    }
    if (forms != 1) {
      throw GatewayError.invalid(
          "/question",
          forms == 0
              ? "The question is missing."
              : "The body holds more than one of question, messages and message.");
    }
    if (body.getValue("question") != null) {
      return new Asked(question("/question", body.getString("question")), false, null);
    }
    JsonArray messages = body.getJsonArray("messages");
    return messages == null
        ? ofMessage("/message", body.getJsonObject("message"))
        : ofMessages(messages);
  }

  static Asked ofQuery(JsonObject body) {
    return new Asked(question("/query", body.getString("query", "")), false, null);
  }

  private static Asked ofMessages(JsonArray messages) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      JsonObject message = messages.getJsonObject(i);
      if ("user".equals(message.getString("role"))) {
        return ofMessage("/messages/" + i, message);
      }
    }
    throw GatewayError.invalid("/messages", "There is no message of the user.");
  }

  private static Asked ofMessage(String path, JsonObject message) {
    if (!"user".equals(message.getString("role"))) {
      throw GatewayError.invalid(path + "/role", "The message is not the user's.");
    }
    String text = message.getJsonArray("parts").stream()
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .filter(part -> "text".equals(part.getValue("type")))
        .map(part -> part.getValue("text"))
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .collect(Collectors.joining("\n"));
    return new Asked(question(path + "/parts", text), true, message.getString("id"));
  }

  private static String question(String path, String raw) {
    String text = SafeText.clean(raw).strip();
    if (text.isEmpty() || text.codePointCount(0, text.length()) > MAX_LENGTH) {
      throw GatewayError.invalid(path, "The question is 1 to 2,000 characters long.");
    }
    return text;
  }
}
