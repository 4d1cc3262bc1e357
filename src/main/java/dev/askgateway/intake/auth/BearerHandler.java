package dev.askgateway.intake.auth;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/**
 * Finds the person of a request, and hands both to the threshold.
 *
 * <p>Keys may have to be fetched first, so the request is paused and <em>handed on paused</em>: whoever
 * reads the body attaches its handlers and then resumes. Nothing that arrived meanwhile is lost.
 */
public final class BearerHandler implements Handler<RoutingContext> {
  /** Where the {@link UserId} is in the routing context. */
  public static final String USER_ID = "user-id";

  private static final String SCHEME = "bearer ";

  private final Authenticator authenticator;
  private final Threshold threshold;

  public BearerHandler(Authenticator authenticator, Threshold threshold) {
    this.authenticator = authenticator;
    this.threshold = threshold;
  }

  /** The person behind a request that passed this handler. */
  public static UserId person(RoutingContext ctx) {
    return ctx.get(USER_ID);
  }

  @Override
  public void handle(RoutingContext ctx) {
    ctx.request().pause();
    token(ctx)
        .map(authenticator::person)
        .orElseGet(() -> Future.failedFuture(Authenticator.refused()))
        .onSuccess(person -> {
          ctx.put(USER_ID, person);
          threshold.known(ctx, person);
        })
        .onFailure(refused -> threshold.refused(ctx, refused));
  }

  private static Optional<String> token(RoutingContext ctx) {
    List<String> headers = ctx.request().headers().getAll(HttpHeaders.AUTHORIZATION);
    if (headers.size() != 1) {
      return Optional.empty(); // two of them: which one a proxy looked at cannot be known
    }
    String header = headers.get(0);
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? Optional.of(header.substring(SCHEME.length()).trim())
        : Optional.empty();
  }
}
