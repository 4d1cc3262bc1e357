package dev.askgateway.intake.edge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Takes half surrogate pairs out of a request: JSON can hold them as escapes, and no text that is sent
 * on can. Only a body with such an escape is looked through.
 */
final class WellFormed {
  private WellFormed() {}

  /** The same object, or one without halves. */
  static JsonObject of(Buffer body, JsonObject json) {
    return hasSurrogateEscape(body) && value(json) instanceof JsonObject clean ? clean : json;
  }

  private static boolean hasSurrogateEscape(Buffer body) {
    for (int i = 0; i < body.length() - 3; i++) {
      if (body.getByte(i) == '\\'
          && body.getByte(i + 1) == 'u'
          && (body.getByte(i + 2) | 0x20) == 'd'
          && body.getByte(i + 3) >= '8') {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Object value(@Nullable Object value) {
    if (value instanceof String text) {
      return text(text);
    }
    if (value instanceof JsonObject object) {
      JsonObject clean = new JsonObject();
      object.forEach(
          member -> clean.put(text(member.getKey()), value(object.getValue(member.getKey()))));
      return clean;
    }
    if (value instanceof JsonArray list) {
      JsonArray clean = new JsonArray();
      for (int i = 0; i < list.size(); i++) {
        clean.add(value(list.getValue(i)));
      }
      return clean;
    }
    return value;
  }

  private static String text(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().forEach(point -> clean.appendCodePoint(isHalf(point) ? 0xFFFD : point));
    return clean.toString();
  }

  private static boolean isHalf(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }
}
