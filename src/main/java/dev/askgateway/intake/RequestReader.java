package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.Json;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.openapi.router.RequestExtractor;
import io.vertx.json.schema.common.dsl.SchemaType;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Parameter;
import io.vertx.openapi.validation.RequestParameter;
import io.vertx.openapi.validation.ValidatableRequest;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a request off the wire for the validator: what it accepts, its parameters (decoded once), and
 * its body within the limits. A request arrives here paused.
 */
final class RequestReader implements RequestExtractor {
  private final Vertx vertx;
  private final IntakeConfig config;
  private final Map<String, Set<String>> produces;

  RequestReader(Vertx vertx, IntakeConfig config, Map<String, Set<String>> produces) {
    this.vertx = vertx;
    this.config = config;
    this.produces = produces;
  }

  private record Value(@Nullable Object get) implements RequestParameter {}

  private record Read(
      Map<String, RequestParameter> getHeaders,
      Map<String, RequestParameter> getPathParameters,
      Map<String, RequestParameter> getQuery,
      RequestParameter getBody)
      implements ValidatableRequest {

    @Override
    public Map<String, RequestParameter> getCookies() {
      return Map.of();
    }

    @Override
    public String getContentType() {
      return Accept.JSON; // anything else was refused
    }
  }

  @Override
  public Future<ValidatableRequest> extractValidatableRequest(
      RoutingContext ctx, Operation operation) {
    if (!isAcceptable(ctx, operation.getOperationId())) {
      return Future.failedFuture(notAcceptable());
    }
    return body(ctx.request(), operation).map(body -> read(ctx, operation, body));
  }

  /** Whether the client can read what the operation answers. */
  boolean isAcceptable(RoutingContext ctx, String operationId) {
    Set<String> types = produces.getOrDefault(operationId, Set.of());
    return types.isEmpty() || Accept.of(ctx.request()).allowsAny(types);
  }

  private static GatewayError tooLarge() {
    return new GatewayError(GatewayError.Code.PAYLOAD_TOO_LARGE, "The request's body is too long.");
  }

  static GatewayError notAcceptable() {
    return new GatewayError(
        GatewayError.Code.NOT_ACCEPTABLE, "Nothing that the Accept header names can be answered.");
  }

  private static Read read(RoutingContext ctx, Operation operation, @Nullable Buffer body) {
    Map<String, RequestParameter> headers = new HashMap<>();
    Map<String, RequestParameter> path = new HashMap<>();
    Map<String, RequestParameter> query = new HashMap<>();
    for (Parameter parameter : operation.getParameters()) {
      String name = parameter.getName();
      switch (parameter.getIn()) {
        case HEADER -> headers.put(name, value(parameter, ctx.request().getHeader(name)));
        case PATH -> path.put(name, value(parameter, ctx.pathParam(name)));
        case QUERY -> query.put(name, value(parameter, ctx.queryParams().get(name)));
        case COOKIE -> throw new IllegalStateException("the contract has no cookies");
      }
    }
    return new Read(headers, path, query, new Value(body));
  }

  /** The validator reads a text that happens to be JSON ("1.5") as JSON: it gets a JSON string. */
  private static RequestParameter value(Parameter parameter, @Nullable String text) {
    return new Value(
        text != null && parameter.getSchemaType() == SchemaType.STRING ? Json.encode(text) : text);
  }

  private Future<@Nullable Buffer> body(HttpServerRequest request, Operation operation) {
    if (operation.getRequestBody() == null || !hasBody(request)) {
      request.resume(); // what nobody asked for is read and dropped
      return Future.succeededFuture(null);
    }
    if (!isPlainJson(request)) {
      return Future.failedFuture(new GatewayError(
          GatewayError.Code.UNSUPPORTED_MEDIA_TYPE,
          "The request's body must be application/json."));
    }
    if (announcedLength(request) > config.maxBodyBytes()) {
      return Future.failedFuture(tooLarge());
    }
    sendContinue(request);
    return collect(request).map(body -> body);
  }

  private Future<Buffer> collect(HttpServerRequest request) {
    Promise<Buffer> read = Promise.promise();
    Buffer body = Buffer.buffer();
    long timer = vertx.setTimer(
        config.bodyTimeout().toMillis(),
        late ->
            read.tryFail(GatewayError.invalid("", "The request's body did not arrive in time.")));
    request.handler(chunk -> {
      if (read.future().isComplete()) {
        return; // refused: the rest is dropped as it comes
      }
      if (body.length() + (long) chunk.length() > config.maxBodyBytes()) {
        read.fail(tooLarge());
      } else {
        body.appendBuffer(chunk);
      }
    });
    request.endHandler(end -> read.tryComplete(body));
    request.exceptionHandler(
        broken -> read.tryFail(GatewayError.invalid("", "The request's body broke off.")));
    request.resume();
    return read.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  /** Lets a client go on that asked before sending its body. */
  static void sendContinue(HttpServerRequest request) {
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
  }

  private static boolean hasBody(HttpServerRequest request) {
    return !request.isEnded() && announcedLength(request) != 0;
  }

  /** The length the head names; -1 when it names none but a body may come. */
  private static long announcedLength(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return -1;
    }
    try {
      return Long.parseLong(length.strip());
    } catch (NumberFormatException beyondAnyLimit) {
      return Long.MAX_VALUE;
    }
  }

  private static boolean isPlainJson(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    return type != null
        && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(Accept.JSON)
        && (encoding == null || encoding.strip().equalsIgnoreCase("identity"));
  }
}
