package dev.askgateway.e2e;

import io.vertx.core.json.JsonObject;

/** One frame of an event stream, with its blank line. */
record Frame(String raw) {
  private static final String DATA = "data: ";

  boolean isJson() {
    return raw.startsWith(DATA + "{");
  }

  JsonObject json() {
    return new JsonObject(raw.substring(DATA.length()));
  }

  /** The chunk's type; what is no chunk (a comment, the end mark) as it stands. */
  String type() {
    return isJson() ? json().getString("type") : raw.strip();
  }

  /** The chunk's data, for data parts. */
  JsonObject data() {
    return json().getJsonObject("data");
  }
}
