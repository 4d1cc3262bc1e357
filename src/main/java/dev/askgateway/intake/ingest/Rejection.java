package dev.askgateway.intake.ingest;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why one line was not taken. Never holds anything of its content.
 *
 * @param line 1-based line of the body, or element of the array
 * @param field the field that is wrong; null when it is the line as a whole
 */
record Rejection(int line, Code code, @Nullable String field) {
  /** Stable codes, in lower case on the wire. */
  enum Code {
    INVALID_JSON,
    NOT_AN_OBJECT,
    MISSING_FIELD,
    WRONG_TYPE,
    INVALID_VALUE,
    TOO_LONG,
    PAYLOAD_TOO_LARGE
  }

  JsonObject toJson() {
    JsonObject json =
        new JsonObject().put("line", line).put("code", code.name().toLowerCase(Locale.ROOT));
    return field == null ? json : json.put("field", field);
  }
}
