package dev.askgateway.relay.edge;

import dev.askgateway.core.GatewayError;
import dev.askgateway.relay.ErrorTable;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The rows of the one error table in the shape that OpenAI's clients read. */
public final class EdgeErrors {
  /** The header that names a request. */
  public static final String REQUEST_ID = "x-request-id";

  private static final String REPLAYED = "idempotent-replayed";
  private static final String DAY_WARNED = "x-budget-warning";

  private EdgeErrors() {}

  /** Says that the answer was given before under the same idempotency key, while its head is not out. */
  public static void markReplayed(HttpServerResponse response) {
    if (!response.headWritten() && !response.closed()) {
      response.putHeader(REPLAYED, "true");
    }
  }

  /** Says that the day's charges have reached what the person is warned at, while its head is not out. */
  public static void markDayWarned(HttpServerResponse response) {
    if (!response.headWritten() && !response.closed()) {
      response.putHeader(DAY_WARNED, "daily");
    }
  }

  /** The body of a failure: never more than a safe sentence. */
  public static JsonObject body(Throwable failure) {
    if (failure instanceof Unsupported refused) {
      return body(
          String.valueOf(refused.getMessage()),
          type(GatewayError.Code.INVALID_REQUEST),
          refused.param(),
          "unsupported");
    }
    GatewayError.Code code = code(failure);
    String field = failure instanceof GatewayError known ? known.field() : null;
    JsonObject body = body(
        ErrorTable.sentence(failure),
        type(code),
        field == null || field.isEmpty() ? null : field,
        code.wire());
    if (failure instanceof GatewayError known && known.budget() != null) {
      known.budget().addTo(body.getJsonObject("error"));
    }
    return body;
  }

  /** The refusal of a model that nobody here knows, under the code that clients know. */
  public static JsonObject modelNotFound(Throwable failure) {
    return body(
        ErrorTable.sentence(failure),
        type(GatewayError.Code.NOT_FOUND),
        "model",
        "model_not_found");
  }

  /** Answers a request whose head is not out yet: what is not found is the model. */
  public static Future<Void> respond(HttpServerResponse response, Throwable failure) {
    return respond(
        response,
        failure,
        code(failure) == GatewayError.Code.NOT_FOUND ? modelNotFound(failure) : body(failure));
  }

  /** The same with a body of the caller's. */
  public static Future<Void> respond(
      HttpServerResponse response, Throwable failure, JsonObject body) {
    if (response.ended() || response.closed()) {
      return Future.succeededFuture();
    }
    if (code(failure) == GatewayError.Code.REQUEST_CONFLICT
        || response.headers().contains(REPLAYED)) {
      // Else OpenAI's clients repeat what the same key can only give again.
      response.putHeader("x-should-retry", "false");
    }
    Throwable row = failure instanceof Unsupported
        ? new GatewayError(GatewayError.Code.INVALID_REQUEST, "")
        : failure;
    String id = response.headers().get(REQUEST_ID);
    if (id != null) {
      body.getJsonObject("error").put("request_id", id);
    }
    return ErrorTable.respond(response, row, body);
  }

  /** Whether a failure is nobody's doing but ours, so that it should be logged. */
  public static boolean isOurFault(Throwable failure) {
    return !(failure instanceof Unsupported) && code(failure) == GatewayError.Code.INTERNAL;
  }

  private static GatewayError.Code code(Throwable failure) {
    return failure instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL;
  }

  private static JsonObject body(String message, String type, @Nullable String param, String code) {
    return new JsonObject()
        .put(
            "error",
            new JsonObject()
                .put("message", message)
                .put("type", type)
                .put("param", param)
                .put("code", code));
  }

  private static String type(GatewayError.Code code) {
    return switch (code) {
      case UNAUTHENTICATED -> "authentication_error";
      case BUDGET_EXHAUSTED, INSUFFICIENT_CREDITS -> "insufficient_quota";
      case RATE_LIMITED -> "rate_limit_error";
      case INVALID_REQUEST,
          AI_DISABLED,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          NOT_ACCEPTABLE,
          REQUEST_CONFLICT,
          PAYLOAD_TOO_LARGE,
          CONTEXT_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE -> "invalid_request_error";
      case INTERNAL,
          PROVIDER_FAILED,
          PROVIDER_TRUNCATED,
          NO_PROVIDER,
          MODELS_OFF,
          OVERLOADED,
          DEPENDENCY_UNAVAILABLE,
          PROVIDER_TIMEOUT,
          INTERRUPTED,
          CANCELLED -> "server_error";
    };
  }
}
