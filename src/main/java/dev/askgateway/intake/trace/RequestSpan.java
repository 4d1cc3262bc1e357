package dev.askgateway.intake.trace;

import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.Traces;
import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Keeps the span of each request with it: the first handler, for later ones may be called back from
 * elsewhere, where the request is not current any more.
 */
public record RequestSpan(Traces traces) implements Handler<RoutingContext> {
  private static final String SPAN = "span";

  /** Before everything else, also the edge's routes. */
  private static final int FIRST = -2;

  /** Puts it before the routes that are there; where nobody traces there is nothing to put. */
  public static void mount(Router router, Traces traces) {
    if (traces != Traces.OFF) {
      router.route().order(FIRST).handler(new RequestSpan(traces));
    }
  }

  @Override
  public void handle(RoutingContext ctx) {
    ctx.put(SPAN, traces.current());
    ctx.next();
  }

  /** The span of a request. */
  public static Span of(RoutingContext ctx) {
    Span span = ctx.get(SPAN);
    return span == null ? Span.NONE : span;
  }
}
