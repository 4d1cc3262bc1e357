package dev.askgateway.telemetry.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.vertx.core.Context;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.tracing.opentelemetry.Operation;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Of all that Vert.x traces by itself only requests to the two surfaces, and of those only what they were
 * for and how they were answered: Vert.x would tell whole addresses and the text of failures. Its own
 * spans of SQL, Redis and providers would hang under the request, not under the step that made them.
 */
final class ServerTracer implements VertxTracer<Operation, Operation> {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
  private static final String STATUS = "http.response.status_code";
  private static final int FIRST_FAULT = 500;

  private final VertxTracer<Operation, Operation> vertx;

  ServerTracer(VertxTracer<Operation, Operation> vertx) {
    this.vertx = vertx;
  }

  @Override
  public <R> @Nullable Operation receiveRequest(
      Context context,
      SpanKind kind,
      TracingPolicy policy,
      R request,
      String operation,
      Iterable<Map.Entry<String, String>> headers,
      TagExtractor<R> tags) {
    if (!(request instanceof HttpRequest http)) {
      return null;
    }
    String route = Routes.of(http.uri());
    if (route == null) {
      return null;
    }
    String method = METHODS.contains(operation) ? operation : "_OTHER";
    Operation begun = vertx.receiveRequest(
        context, kind, policy, request, method + " " + route, headers, TagExtractor.empty());
    if (begun != null) {
      begun.span().setAttribute("http.request.method", method).setAttribute("http.route", route);
    }
    return begun;
  }

  @Override
  public <R> void sendResponse(
      Context context,
      @Nullable R response,
      @Nullable Operation begun,
      @Nullable Throwable failure,
      TagExtractor<R> tags) {
    if (begun == null) {
      return;
    }
    if (failure != null) {
      begun.span().setAttribute(OtelSpan.ERROR_TYPE, "disconnected");
    } else if (response != null) {
      answered(begun.span(), status(response, tags));
    }
    vertx.sendResponse(context, null, begun, null, TagExtractor.empty());
  }

  private static void answered(Span span, int status) {
    span.setAttribute(STATUS, status);
    if (status >= FIRST_FAULT) {
      span.setAttribute(OtelSpan.ERROR_TYPE, String.valueOf(status)).setStatus(StatusCode.ERROR);
    }
  }

  /** Vert.x tells it as a tag; 0 if it does not. */
  private static <R> int status(R response, TagExtractor<R> tags) {
    for (int i = 0; i < tags.len(response); i++) {
      if (tags.name(response, i).endsWith("status_code")) {
        return Integer.parseInt(tags.value(response, i));
      }
    }
    return 0;
  }

  @Override
  public <R> @Nullable Operation sendRequest(
      Context context,
      SpanKind kind,
      TracingPolicy policy,
      R request,
      String operation,
      BiConsumer<String, String> headers,
      TagExtractor<R> tags) {
    return null;
  }

  @Override
  public void close() {
    vertx.close();
  }
}
