package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a tool call as upstream wrote it: each member may be absent.
 *
 * @param index which call it belongs to by upstream's counting, or null
 * @param arguments the next piece of the arguments, JSON text
 * @param signature Google's, through its compatible endpoint
 */
record CallPiece(@Nullable Long index, String id, String name, String arguments, String signature) {

  /** The piece at the parser. */
  static CallPiece read(JsonParser at) throws IOException {
    Long index = null;
    String id = "";
    String signature = "";
    CallPiece function = new CallPiece(null, "", "", "", "");
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      at.nextToken();
      switch (name) {
        case "index" -> index = Lenient.number(at);
        case "id" -> id = Lenient.text(at);
        case "function" -> function = function(at);
        case "extra_content" -> signature = signature(at);
        default -> at.skipChildren();
      }
    }
    return new CallPiece(index, id, function.name, function.arguments, signature);
  }

  /** The function at the parser, as the only call of an answer in the manner of old. */
  static CallPiece function(JsonParser at) throws IOException {
    String called = "";
    String arguments = "";
    if (Lenient.isObject(at)) {
      for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
        at.nextToken();
        switch (name) {
          case "name" -> called = Lenient.text(at);
          case "arguments" -> arguments = arguments(at);
          default -> at.skipChildren();
        }
      }
    }
    return new CallPiece(0L, "", called, arguments, "");
  }

  /** Text, or with some servers the object itself. */
  private static String arguments(JsonParser at) throws IOException {
    return at.hasToken(JsonToken.START_OBJECT) ? Trees.object(at).encode() : Lenient.text(at);
  }

  private static String signature(JsonParser at) throws IOException {
    if (!Lenient.isObject(at)) {
      return "";
    }
    JsonObject google = Lenient.object(Trees.object(at), "google");
    return Lenient.text(google, "thought_signature");
  }

  /** Characters of it, at least 1. */
  int chars() {
    return Math.max(1, name.length() + arguments.length());
  }
}
