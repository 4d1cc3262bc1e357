package dev.askgateway.relay;

import dev.askgateway.core.BudgetRefusal;
import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** The one table of errors (spec C9): status before the head is out, the same code after it. */
public final class ErrorTable {
  private ErrorTable() {}

  /**
   * What a client is told.
   *
   * @param status the HTTP status while none was sent
   * @param retryable whether the same question can succeed later, under a new request id
   */
  public record Row(int status, String code, boolean retryable) {}

  /** The row of a failure; anything unknown is {@code internal}. */
  public static Row rowFor(Throwable failure) {
    Row row =
        rowFor(failure instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL);
    return isInUse(failure) ? new Row(row.status(), row.code(), true) : row;
  }

  /** What is left is held by other requests, which end. */
  private static boolean isInUse(Throwable failure) {
    return failure instanceof GatewayError known
        && known.budget() != null
        && known.budget().reason() == BudgetRefusal.Reason.IN_USE;
  }

  /** The row of a code. */
  public static Row rowFor(GatewayError.Code code) {
    return switch (code) { // no default, on purpose
      case INVALID_REQUEST -> row(400, code, false);
      case UNAUTHENTICATED -> row(401, code, false);
      case BUDGET_EXHAUSTED -> row(402, code, false);
      case INSUFFICIENT_CREDITS -> row(402, code, false);
      case AI_DISABLED -> row(403, code, false);
      case NOT_FOUND -> row(404, code, false);
      case METHOD_NOT_ALLOWED -> row(405, code, false);
      case NOT_ACCEPTABLE -> row(406, code, false);
      case REQUEST_CONFLICT -> row(409, code, false);
      case PAYLOAD_TOO_LARGE -> row(413, code, false);
      case CONTEXT_TOO_LARGE -> row(413, code, false);
      case UNSUPPORTED_MEDIA_TYPE -> row(415, code, false);
      case RATE_LIMITED -> row(429, code, true);
      case INTERNAL -> row(500, code, true);
      case INTERRUPTED -> row(500, code, true);
      case PROVIDER_FAILED -> row(502, code, true);
      case PROVIDER_TRUNCATED -> row(502, code, true);
      case NO_PROVIDER -> row(503, code, true);
      case MODELS_OFF -> row(503, code, true);
      case OVERLOADED -> row(503, code, true);
      case DEPENDENCY_UNAVAILABLE -> row(503, code, true);
      case PROVIDER_TIMEOUT -> row(504, code, true);
      // Nobody is waiting for a status: whoever cancelled is told by the turn's state.
      case CANCELLED -> row(200, code, true);
    };
  }

  private static Row row(int status, GatewayError.Code code, boolean retryable) {
    return new Row(status, code.wire(), retryable);
  }

  /** The JSON body of a failure: never more than a safe sentence. */
  public static JsonObject body(Throwable failure) {
    Row row = rowFor(failure);
    JsonObject body = new JsonObject()
        .put("success", false)
        .put("error", sentence(failure))
        .put("code", row.code())
        .put("retryable", row.retryable());
    if (failure instanceof GatewayError known) {
      if (known.field() != null) {
        body.put(
            "details",
            new JsonArray()
                .add(new JsonObject().put("path", known.field()).put("message", known.message())));
      }
      if (known.budget() != null) {
        known.budget().addTo(body);
      }
      if (known.retryAfter() != null) {
        body.put("retryAfterMs", known.retryAfter().toMillis());
      }
    }
    return body;
  }

  /** What may be said of a failure. */
  public static String sentence(Throwable failure) {
    return failure instanceof GatewayError known ? known.message() : "Something went wrong here.";
  }

  /** Answers a request whose head is not out yet. */
  public static Future<Void> respond(HttpServerResponse response, Throwable failure) {
    return respond(response, failure, body(failure));
  }

  /** The same with a body that says more than the failure itself. */
  public static Future<Void> respond(
      HttpServerResponse response, Throwable failure, JsonObject body) {
    if (response.ended() || response.closed()) {
      return Future.succeededFuture();
    }
    Row row = rowFor(failure);
    response
        .setStatusCode(row.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if (failure instanceof GatewayError known && known.retryAfter() != null) {
      response.putHeader(HttpHeaders.RETRY_AFTER, seconds(known.retryAfter()));
    }
    if (row.status() == 401) {
      response.putHeader("www-authenticate", "Bearer");
    }
    return response.end(body.toBuffer());
  }

  private static String seconds(Duration delay) {
    return Long.toString(Math.max(1, (delay.toMillis() + 999) / 1000));
  }
}
