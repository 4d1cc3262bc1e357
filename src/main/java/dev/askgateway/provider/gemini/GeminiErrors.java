package dev.askgateway.provider.gemini;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.RetryAfter;
import dev.askgateway.provider.http.UpstreamErrors;
import io.vertx.core.MultiMap;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sorts Gemini's errors: {@code {"error": {code, message, status, details}}}, alone or in an array.
 * A bad key is a 400 there like a malformed request, and only the words tell the two apart.
 */
final class GeminiErrors {
  private GeminiErrors() {}

  /** A response with another status than 200. */
  static GatewayError ofStatus(int status, String body, @Nullable Duration retryAfter) {
    Object error = errorIn(tryParse(body));
    JsonObject object = error instanceof JsonObject found ? found : new JsonObject();
    Kind kind = kind(status, words(error == null ? body : error));
    String detail = "status " + status + " " + label(object);
    if (status == 404) {
      return ProviderFailure.noSuchModel(detail);
    }
    Duration wait = retryAfter == null ? retryDelay(object) : retryAfter;
    return ProviderFailure.error(kind, detail, kind == Kind.RATE_LIMITED ? wait : null);
  }

  /** An error inside a 200. */
  static GatewayError ofStream(Object error) {
    JsonObject object = error instanceof JsonObject found ? found : new JsonObject();
    int status = status(object);
    Kind kind = kind(status, words(error));
    String detail = "in stream, status " + status + " " + label(object);
    return ProviderFailure.error(
        kind == Kind.REFUSED ? Kind.REFUSED_LATE : kind,
        detail,
        kind == Kind.RATE_LIMITED ? retryDelay(object) : null);
  }

  /** The error that an event or a whole body says, or null for none. */
  static @Nullable Object errorIn(@Nullable Object json) {
    if (json instanceof JsonObject object) {
      return UpstreamErrors.member(object);
    }
    if (json instanceof JsonArray array) {
      for (Object entry : array) {
        if (entry instanceof JsonObject object && UpstreamErrors.member(object) != null) {
          return UpstreamErrors.member(object);
        }
      }
    }
    return null;
  }

  /** The JSON value of a text, or null: the parser's own message quotes it. */
  static @Nullable Object tryParse(String text) {
    try {
      return Json.decodeValue(text);
    } catch (DecodeException notJson) {
      return null;
    }
  }

  private static Kind kind(int status, String words) {
    boolean rejected = status == 400 || status == 413;
    if (rejected && words.contains("exceeds the maximum number of tokens")) {
      return Kind.TOO_LARGE;
    }
    boolean ours = words.contains("api key")
        || words.contains("api_key_invalid")
        || words.contains("user location is not supported")
        || words.contains("billing");
    if (status == 400 && ours) {
      return Kind.ACCOUNT;
    }
    if (status == 429) {
      return Kind.RATE_LIMITED; // its text speaks of plan and billing whatever the limit is
    }
    return status == 499 ? Kind.UNAVAILABLE : UpstreamErrors.kind(status, words);
  }

  /** The HTTP status an error stands for: its code, or what its status name says. */
  private static int status(JsonObject error) {
    long code = Lenient.numberOr(error, "code", 0);
    if (code >= 400 && code <= 599) {
      return (int) code;
    }
    return switch (Lenient.text(error, "status")) {
      case "RESOURCE_EXHAUSTED" -> 429;
      case "UNAVAILABLE" -> 503;
      case "DEADLINE_EXCEEDED" -> 504;
      case "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE" -> 400;
      case "UNAUTHENTICATED" -> 401;
      case "PERMISSION_DENIED" -> 403;
      case "NOT_FOUND" -> 404;
      case "ABORTED" -> 409;
      case "CANCELLED" -> 499;
      default -> 500;
    };
  }

  /** The wait in the details: {@code {"@type": ".../google.rpc.RetryInfo", "retryDelay": "17s"}}. */
  private static @Nullable Duration retryDelay(JsonObject error) {
    for (Object detail : Lenient.array(error, "details")) {
      String delay = detail instanceof JsonObject object ? Lenient.text(object, "retryDelay") : "";
      if (delay.endsWith("s")) {
        MultiMap header = MultiMap.caseInsensitiveMultiMap()
            .add("retry-after", delay.substring(0, delay.length() - 1));
        return RetryAfter.of(header, Instant.EPOCH);
      }
    }
    return null;
  }

  private static String words(Object error) {
    StringBuilder words = new StringBuilder();
    if (error instanceof JsonObject object) {
      words.append(Lenient.text(object, "message")).append(' ');
      for (Object detail : Lenient.array(object, "details")) {
        words
            .append(detail instanceof JsonObject entry ? Lenient.text(entry, "reason") : "")
            .append(' ');
      }
    } else {
      words.append(error);
    }
    return words.toString().toLowerCase(Locale.ROOT);
  }

  private static String label(JsonObject error) {
    return error.isEmpty() ? "no code" : ProviderFailure.loggable(error.getValue("status"));
  }
}
