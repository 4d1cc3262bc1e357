package dev.askgateway.intake.ingest;

import dev.askgateway.core.SafeText;
import dev.askgateway.store.IngestRepository.Message;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a line into a message, or says what is wrong with it first. Fields it does not know are ignored. */
final class LineReader {
  /** Longest id, sender name and chat name, in characters. */
  static final int MAX_NAME = 512;
  /** Longest text, in characters. */
  static final int MAX_TEXT = 64 * 1024;

  private static final Pattern PLATFORM = Pattern.compile("[a-z0-9-]{1,32}");
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private LineReader() {}

  /** A line that cannot be taken. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final Rejection.Code code;
    private final @Nullable String field;

    Refused(Rejection.Code code, @Nullable String field) {
      super(code.name(), null, false, false); // an expected outcome: no stack trace to fill in
      this.code = code;
      this.field = field;
    }

    Rejection at(int line) {
      return new Rejection(line, code, field);
    }
  }

  /** The message of a line. */
  static Message read(Buffer line) throws Refused {
    Object value;
    try {
      value = Json.decodeValue(line);
    } catch (DecodeException malformed) {
      throw new Refused(Rejection.Code.INVALID_JSON, null);
    }
    if (!(value instanceof JsonObject json)) {
      throw new Refused(Rejection.Code.NOT_AN_OBJECT, null);
    }
    return new Message(
        platform(json),
        required("chatId", id(json, "chatId", true)),
        name(json, "chatName"),
        flag(json, "isGroup"),
        required("messageId", id(json, "messageId", true)),
        required("at", instant(json, "at")),
        id(json, "senderId", false),
        name(json, "senderName"),
        flag(json, "fromMe"),
        text(json),
        id(json, "replyTo", false),
        id(json, "threadRoot", false),
        instant(json, "editedAt"),
        Boolean.TRUE.equals(flag(json, "deleted")));
  }

  private static <T> T required(String field, @Nullable T value) throws Refused {
    if (value == null) {
      throw new Refused(Rejection.Code.MISSING_FIELD, field);
    }
    return value;
  }

  private static String platform(JsonObject json) throws Refused {
    String platform =
        required("platform", string(json, "platform", MAX_NAME)).toLowerCase(Locale.ROOT);
    if (!PLATFORM.matcher(platform).matches()) {
      throw new Refused(Rejection.Code.INVALID_VALUE, "platform");
    }
    return platform;
  }

  /** An id is compared byte for byte, so it is never repaired. An empty optional one is one left out. */
  private static @Nullable String id(JsonObject json, String field, boolean key) throws Refused {
    String id = string(json, field, MAX_NAME);
    if (id == null || (!key && id.isEmpty())) {
      return null;
    }
    if (id.isBlank() || !SafeText.isWellFormed(id)) {
      throw new Refused(Rejection.Code.INVALID_VALUE, field);
    }
    return id;
  }

  private static @Nullable String name(JsonObject json, String field) throws Refused {
    String name = string(json, field, MAX_NAME);
    String clean = name == null ? "" : SafeText.clean(name).strip();
    return clean.isEmpty() ? null : clean;
  }

  /** Blank text is no text: there is nothing in it to find. */
  private static @Nullable String text(JsonObject json) throws Refused {
    String text = string(json, "text", MAX_TEXT);
    if (text == null) {
      return null;
    }
    String clean = SafeText.clean(text);
    return clean.isBlank() ? "" : clean;
  }

  private static @Nullable Instant instant(JsonObject json, String field) throws Refused {
    String text = string(json, field, MAX_NAME);
    if (text == null) {
      return null;
    }
    Instant instant;
    try {
      // The database keeps microseconds; finer ones would make a version newer than its own copy.
      instant = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeParseException notAnInstant) {
      throw new Refused(Rejection.Code.INVALID_VALUE, field);
    }
    if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
      throw new Refused(Rejection.Code.INVALID_VALUE, field);
    }
    return instant;
  }

  private static @Nullable Boolean flag(JsonObject json, String field) throws Refused {
    Object value = json.getValue(field);
    if (value == null || value instanceof Boolean) {
      return (Boolean) value;
    }
    throw new Refused(Rejection.Code.WRONG_TYPE, field);
  }

  private static @Nullable String string(JsonObject json, String field, int maxLength)
      throws Refused {
    Object value = json.getValue(field);
    if (value == null) {
      return null;
    }
    if (!(value instanceof String text)) {
      throw new Refused(Rejection.Code.WRONG_TYPE, field);
    }
    if (text.length() > maxLength) {
      throw new Refused(Rejection.Code.TOO_LONG, field);
    }
    return text;
  }
}
