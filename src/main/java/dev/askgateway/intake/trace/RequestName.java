package dev.askgateway.intake.trace;

import dev.askgateway.relay.edge.EdgeErrors;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** By which id a request is found: in the head of whatever it is answered with, in errors and in the log. */
public final class RequestName {
  private static final String KEY = "request-id";

  private RequestName() {}

  /** Names a request; once more when its client turns out to have named it. */
  public static void name(RoutingContext ctx, UUID id) {
    ctx.put(KEY, id);
    name(ctx.response(), id);
  }

  /** Names one that no route ever sees. */
  public static void name(HttpServerResponse response, UUID id) {
    response.putHeader(EdgeErrors.REQUEST_ID, id.toString());
  }

  /** Its id; null before it is named. */
  public static @Nullable UUID of(RoutingContext ctx) {
    return ctx.get(KEY);
  }
}
