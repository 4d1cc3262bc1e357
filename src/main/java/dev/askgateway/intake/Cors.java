package dev.askgateway.intake;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;

/**
 * Lets pages of the configured origins call the gateway: exact matches only, "null" and an app's own
 * scheme among them. No cookies are involved, so credentials are never allowed.
 */
final class Cors implements Handler<RoutingContext> {
  private static final String METHODS = "GET, POST, PUT, DELETE, OPTIONS";
  private static final String HEADERS =
      "authorization, content-type, accept, idempotency-key, x-request-id, cache-control, last-event-id, "
          + "traceparent";
  private static final String EXPOSED =
      "x-request-id, retry-after, content-type, x-vercel-ai-ui-message-stream, x-budget-warning, "
          + "idempotent-replayed, "
          + "ratelimit-limit, ratelimit-remaining, ratelimit-reset, ratelimit-policy";
  private static final String MAX_AGE_SECONDS = "600";

  private final Set<String> origins;

  Cors(List<String> origins) {
    this.origins = Set.copyOf(origins);
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerResponse response = ctx.response();
    response.headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    String origin = ctx.request().getHeader(HttpHeaders.ORIGIN);
    boolean allowed = origin != null && origins.contains(origin);
    if (allowed) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    if (!isPreflight(ctx)) {
      ctx.next();
      return;
    }
    if (allowed) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, HEADERS)
          .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
    }
    response.setStatusCode(204).end();
  }

  private static boolean isPreflight(RoutingContext ctx) {
    return ctx.request().method().equals(HttpMethod.OPTIONS)
        && ctx.request().getHeader(HttpHeaders.ORIGIN) != null
        && ctx.request().headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
  }
}
