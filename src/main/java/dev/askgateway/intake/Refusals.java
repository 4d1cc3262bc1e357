package dev.askgateway.intake;

import dev.askgateway.core.FreshId;
import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.trace.RequestName;
import dev.askgateway.relay.ErrorTable;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Path;
import io.vertx.openapi.validation.ValidatorException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every way a request is turned away before an answer began, in the one error envelope. */
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
  private static final List<Integer> STATUSES =
      List.of(400, 401, 403, 404, 405, 406, 413, 414, 415, 500, 501, 503);
  private static final long LINGER_MILLIS = 10_000;

  private final Vertx vertx;
  private final OpenAPIContract contract;

  Refusals(Vertx vertx, OpenAPIContract contract) {
    this.vertx = vertx;
    this.contract = contract;
  }

  void install(Router router) {
    STATUSES.forEach(status -> router.errorHandler(status, this::respond));
  }

  private void respond(RoutingContext ctx) {
    linger(ctx.request());
    if (ctx.failure() == null && ctx.statusCode() == 405) {
      wrongMethod(ctx);
      return;
    }
    respond(ctx, cause(ctx));
  }

  /** Answers with the failure's row, and logs what is nobody's doing but ours. */
  static void respond(RoutingContext ctx, Throwable failure) {
    if (ErrorTable.rowFor(failure).status() == 500) {
      log(ctx, failure);
    }
    ErrorTable.respond(ctx.response(), failure, body(ctx, failure));
  }

  static JsonObject body(RoutingContext ctx, Throwable failure) {
    JsonObject body = ErrorTable.body(failure);
    UUID requestId = RequestName.of(ctx);
    return requestId == null ? body : body.put("requestId", requestId.toString());
  }

  private void wrongMethod(RoutingContext ctx) {
    Path path = contract.findPath(ctx.normalizedPath());
    HttpServerResponse response = ctx.response();
    if (path != null) {
      response.putHeader(
          HttpHeaders.ALLOW,
          path.getOperations().stream()
              .map(operation -> operation.getHttpMethod().name())
              .sorted()
              .collect(Collectors.joining(", ")));
    }
    respond(
        ctx,
        new GatewayError(
            GatewayError.Code.METHOD_NOT_ALLOWED, "This path does not know that method."));
  }

  private static Throwable cause(RoutingContext ctx) {
    Throwable failure = ctx.failure() instanceof HttpException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : ctx.failure();
    if (failure instanceof GatewayError) {
      return failure;
    }
    if (failure instanceof ValidatorException broken) {
      return ContractErrors.translate(broken);
    }
    return switch (ctx.statusCode()) {
      case 404 -> GatewayError.notFound("path");
      case 400, 414 -> GatewayError.invalid("", "The request cannot be read.");
      case 406 -> RequestReader.notAcceptable();
      default ->
        failure == null ? new IllegalStateException("status " + ctx.statusCode()) : failure;
    };
  }

  /**
   * Answers at once although the client may still be sending: the rest is read and dropped, so that
   * the client gets to the answer instead of a reset, but not for ever.
   */
  private void linger(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    long timer = vertx.setTimer(LINGER_MILLIS, late -> request.connection().close());
    request.handler(dropped -> {});
    request.exceptionHandler(broken -> vertx.cancelTimer(timer));
    request.endHandler(end -> vertx.cancelTimer(timer));
    request.resume();
  }

  /** For what is not even HTTP: answered before any route is looked for. */
  static void unreadable(HttpServerRequest request) {
    GatewayError refusal = GatewayError.invalid("", "The request cannot be read.");
    UUID id = FreshId.next();
    JsonObject body = ErrorTable.body(refusal).put("requestId", id.toString());
    RequestName.name(request.response(), id);
    request
        .response()
        .setStatusCode(400)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
        .putHeader(HttpHeaders.CONNECTION, "close")
        .end(body.toBuffer())
        .onComplete(done -> request.connection().close());
  }

  /** Where it failed and as what; never a message, which may repeat what a person wrote. */
  private static void log(RoutingContext ctx, Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    @Nullable
    String operation = ctx.currentRoute() == null ? null : ctx.currentRoute().getName();
    LOG.error(
        "request failed: operation={} request={} error={} at={}",
        operation,
        LogFields.request(RequestName.of(ctx)),
        root.getClass().getName(),
        Arrays.stream(root.getStackTrace()).limit(12).map(Object::toString).toList());
  }
}
