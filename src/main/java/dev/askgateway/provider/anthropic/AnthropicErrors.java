package dev.askgateway.provider.anthropic;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.UpstreamErrors;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sorts Anthropic's errors. Their type says more than the status, which is 200 for one inside a
 * stream. What has no known type is sorted like any other server's error.
 */
final class AnthropicErrors {
  private static final Map<String, Integer> STATUSES = Map.of(
      "invalid_request_error", 400,
      "authentication_error", 401,
      "billing_error", 402,
      "permission_error", 403,
      "not_found_error", 404,
      "request_too_large", 413,
      "rate_limit_error", 429,
      "api_error", 500,
      "timeout_error", 504,
      "overloaded_error", 529);

  /** An account that is used up is told as an invalid request. */
  private static final List<String> SPENT = List.of("credit balance", "usage limits");

  private static final String OVER_THE_WINDOW = "exceed context limit";

  private AnthropicErrors() {}

  /** A response with another status than 200. */
  static GatewayError ofStatus(int status, String body, @Nullable Duration retryAfter) {
    JsonObject error = errorOf(body);
    Integer known = error == null ? null : STATUSES.get(Lenient.text(error, "type"));
    // These two say all, whatever type a proxy on the way put into the body.
    boolean plain = status == 413 || status == 404;
    GatewayError sorted = error == null || known == null || plain
        ? UpstreamErrors.ofStatus(status, body, retryAfter)
        : ProviderFailure.error(kind(error, known), detail("status " + status, error));
    Kind kind = ProviderFailure.kindOf(sorted);
    boolean comesBack = kind == Kind.RATE_LIMITED || kind == Kind.UNAVAILABLE;
    return retryAfter != null && comesBack ? sorted.retryAfter(retryAfter) : sorted;
  }

  /** An error inside a 200: an object, a string or what else a server puts there. */
  static GatewayError ofStream(Object error) {
    if (error instanceof JsonObject object) {
      Integer known = STATUSES.get(Lenient.text(object, "type"));
      if (known != null) {
        Kind kind = kind(object, known);
        return ProviderFailure.error(
            kind == Kind.REFUSED ? Kind.REFUSED_LATE : kind, detail("in stream", object));
      }
    }
    return UpstreamErrors.ofStream(error);
  }

  private static Kind kind(JsonObject error, int status) {
    String words = Lenient.text(error, "message").toLowerCase(Locale.ROOT);
    if (status == 429) {
      return Kind.RATE_LIMITED; // whatever its text says about plans and bills
    }
    if (status == 400 && SPENT.stream().anyMatch(words::contains)) {
      return Kind.ACCOUNT;
    }
    return status == 400 && words.contains(OVER_THE_WINDOW)
        ? Kind.TOO_LARGE
        : UpstreamErrors.kind(status, words);
  }

  private static String detail(String where, JsonObject error) {
    return where + ", type " + ProviderFailure.loggable(error.getValue("type"));
  }

  private static @Nullable JsonObject errorOf(String body) {
    try {
      return Lenient.object(new JsonObject(body), "error");
    } catch (DecodeException | ClassCastException notAnObject) {
      return null;
    }
  }
}
