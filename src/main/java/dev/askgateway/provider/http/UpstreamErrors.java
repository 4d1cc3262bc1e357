package dev.askgateway.provider.http;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sorts failures by what can be done about them. Upstream's own text is only searched for the words
 * that tell them apart; it is never kept, because it quotes prompts and keys.
 */
public final class UpstreamErrors {
  private static final List<String> TOO_LONG = List.of(
      "context_length",
      "context length",
      "maximum context",
      "context window",
      "context_window",
      "too many tokens",
      "prompt is too long",
      "input is too long",
      "string_above_max_length",
      "request too large");

  private UpstreamErrors() {}

  /**
   * A response with another status than 200.
   *
   * @param body as far as it could be read; any shape, "" for none
   */
  public static GatewayError ofStatus(int status, String body, @Nullable Duration retryAfter) {
    Object error = errorOf(body);
    String words = words(error);
    String detail = "status " + status + " " + label(error);
    Kind kind = kind(status, words);
    return ProviderFailure.error(kind, detail, kind == Kind.RATE_LIMITED ? retryAfter : null);
  }

  /** An error inside a 200: an object, a string or what else a server puts there. */
  public static GatewayError ofStream(Object error) {
    String words = words(error);
    int status = status(error, words);
    Kind kind = kind(status, words);
    String detail = "in stream, status " + status + " " + label(error);
    return ProviderFailure.error(kind == Kind.REFUSED ? Kind.REFUSED_LATE : kind, detail);
  }

  /** The error member of an event, or null for none. */
  public static @Nullable Object member(JsonObject event) {
    return told(event.getValue("error"));
  }

  /** An error member's value, or null when it tells of none: null, false, "" and an empty object. */
  public static @Nullable Object told(@Nullable Object error) {
    boolean none = error == null
        || Boolean.FALSE.equals(error)
        || error.equals("")
        || (error instanceof JsonObject object && object.isEmpty());
    return none ? null : error;
  }

  /** The kind of a refusal by its status and, in lower case, the words around it. */
  public static Kind kind(int status, String words) {
    boolean rejected = status == 400 || status == 413 || status == 422;
    if (status == 413 || (rejected && TOO_LONG.stream().anyMatch(words::contains))) {
      return Kind.TOO_LARGE;
    }
    if (status == 429) {
      boolean spent = words.contains("insufficient_quota") || words.contains("billing");
      return spent ? Kind.ACCOUNT : Kind.RATE_LIMITED;
    }
    return switch (status) {
      case 401, 402, 403, 404 -> Kind.ACCOUNT;
      case 408, 504 -> Kind.TIMEOUT;
      case 409, 425 -> Kind.UNAVAILABLE;
      default -> status >= 400 && status < 500 ? Kind.REFUSED : Kind.UNAVAILABLE;
    };
  }

  private static @Nullable Object errorOf(String body) {
    try {
      JsonObject object = new JsonObject(body);
      Object error = member(object);
      return error == null ? object : error;
    } catch (DecodeException | ClassCastException notAnObject) {
      return body; // HTML or plain text: only its words count
    }
  }

  private static int status(Object error, String words) {
    if (error instanceof JsonObject object) {
      for (String key : List.of("code", "status_code", "status")) {
        Long code = Lenient.number(object, key);
        if (code != null && code >= 400 && code <= 599) {
          return code.intValue();
        }
      }
    }
    return inferred(words);
  }

  private static int inferred(String words) {
    if (any(words, "quota", "rate limit", "rate_limit", "too many requests")) {
      return 429;
    }
    if (any(words, "authentication", "invalid_api_key", "permission", "not_found")) {
      return 403;
    }
    if (any(words, "invalid_request", "bad_request", "bad request", "invalid_prompt")
        || TOO_LONG.stream().anyMatch(words::contains)) {
      return 400;
    }
    return any(words, "timeout", "timed out") ? 504 : 500;
  }

  private static boolean any(String words, String... candidates) {
    return List.of(candidates).stream().anyMatch(words::contains);
  }

  private static String words(@Nullable Object error) {
    String text = error instanceof JsonObject object
        ? String.join(
            " ",
            Lenient.text(object, "code"),
            Lenient.text(object, "type"),
            Lenient.text(object, "message"))
        : String.valueOf(error);
    return text.toLowerCase(Locale.ROOT);
  }

  private static String label(@Nullable Object error) {
    return error instanceof JsonObject object
        ? "code " + ProviderFailure.loggable(object.getValue("code")) + " type "
            + ProviderFailure.loggable(object.getValue("type"))
        : "no code";
  }
}
