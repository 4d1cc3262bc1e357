package dev.askgateway.provider;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Reads members as they come: a wrong type is as good as absent, a number may be a string. */
public final class Lenient {
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
    if (value instanceof String text && text.matches("-?\\d{1,18}")) {
      return Long.parseLong(text);
    }
    return null;
  }

  public static long numberOr(JsonObject from, String key, long absent) {
    Long number = number(from, key);
    return number == null ? absent : number;
  }
}
