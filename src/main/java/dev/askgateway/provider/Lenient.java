package dev.askgateway.provider;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads members as they come: a wrong type is as good as absent, a number may be a string. From a
 * tree, or at a parser, which then stands at the end of the value.
 */
public final class Lenient {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

  private Lenient() {}

  public static String text(JsonObject from, String key) {
    return from.getValue(key) instanceof String text ? text : "";
  }

  public static JsonObject object(JsonObject from, String key) {
    return from.getValue(key) instanceof JsonObject object ? object : new JsonObject();
  }

  public static JsonArray array(JsonObject from, String key) {
    return from.getValue(key) instanceof JsonArray array ? array : new JsonArray();
  }

  /** The number, or null when there is none. */
  public static @Nullable Long number(JsonObject from, String key) {
    Object value = from.getValue(key);
    if (value instanceof Number number) {
      return number.longValue();
    }
    return value instanceof String text ? number(text) : null;
  }

  public static long numberOr(JsonObject from, String key, long absent) {
    Long number = number(from, key);
    return number == null ? absent : number;
  }

  /** The text at the parser, "" for a value of another type. */
  public static String text(JsonParser at) throws IOException {
    if (at.hasToken(JsonToken.VALUE_STRING)) {
      return at.getText();
    }
    at.skipChildren();
    return "";
  }

  /** The number at the parser, or null for a value of another type. */
  public static @Nullable Long number(JsonParser at) throws IOException {
    if (at.currentToken().isNumeric()) {
      return at.getNumberValue().longValue();
    }
    return number(text(at));
  }

  /** Whether an object begins at the parser; a value of another type is read over. */
  public static boolean isObject(JsonParser at) throws IOException {
    boolean object = at.hasToken(JsonToken.START_OBJECT);
    if (!object) {
      at.skipChildren();
    }
    return object;
  }

  /** Whether an array begins at the parser; a value of another type is read over. */
  public static boolean isArray(JsonParser at) throws IOException {
    boolean array = at.hasToken(JsonToken.START_ARRAY);
    if (!array) {
      at.skipChildren();
    }
    return array;
  }

  private static @Nullable Long number(String text) {
    return NUMBER.matcher(text).matches() ? Long.parseLong(text) : null;
  }
}
