package dev.askgateway.intake.edge;

import dev.askgateway.core.GatewayError;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads members of a request and says which one is wrong by its path, "messages.0.role". A member
 * that is null counts as absent.
 */
record Fields(JsonObject json, String path) {

  static Fields of(JsonObject body) {
    return new Fields(body, "");
  }

  /** An element of a list as an object. */
  static Fields element(JsonArray list, int index, String path) {
    String name = path + "." + index;
    if (list.getValue(index) instanceof JsonObject object) {
      return new Fields(object, name);
    }
    throw wrong(name, "an object");
  }

  static GatewayError wrong(String path, String rule) {
    return GatewayError.invalid(path, "'" + path + "' must be " + rule + ".");
  }

  String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  GatewayError bad(String name, String rule) {
    return wrong(at(name), rule);
  }

  @Nullable
  Object value(String name) {
    return json.getValue(name);
  }

  @Nullable
  String text(String name) {
    Object value = value(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw bad(name, "a string");
  }

  String textOr(String name, String absent) {
    String text = text(name);
    return text == null ? absent : text;
  }

  /** A string that is there and says something. */
  String required(String name) {
    String text = text(name);
    if (text == null || text.isEmpty()) {
      throw bad(name, "a string that is not empty");
    }
    return text;
  }

  boolean flag(String name) {
    Object value = value(name);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw bad(name, "true or false");
  }

  @Nullable
  Integer count(String name) {
    Object value = value(name);
    if (value == null) {
      return null;
    }
    if ((value instanceof Integer || value instanceof Long)
        && ((Number) value).longValue() >= 1
        && ((Number) value).longValue() <= Integer.MAX_VALUE) {
      return ((Number) value).intValue();
    }
    throw bad(name, "an integer of at least 1");
  }

  @Nullable
  Double number(String name, double most) {
    Object value = value(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Number number
        && number.doubleValue() >= 0
        && number.doubleValue() <= most) {
      return number.doubleValue();
    }
    throw bad(name, "a number from 0 to " + (int) most);
  }

  /** An object, or null when it is absent. */
  @Nullable
  Fields object(String name) {
    Object value = value(name);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonObject object) {
      return new Fields(object, at(name));
    }
    throw bad(name, "an object");
  }

  Fields requiredObject(String name) {
    Fields object = object(name);
    if (object == null) {
      throw bad(name, "an object");
    }
    return object;
  }

  /** A list, empty when it is absent. */
  JsonArray list(String name) {
    Object value = value(name);
    if (value == null) {
      return new JsonArray();
    }
    if (value instanceof JsonArray list) {
      return list;
    }
    throw bad(name, "a list");
  }
}
