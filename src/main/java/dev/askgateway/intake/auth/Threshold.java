package dev.askgateway.intake.auth;

import dev.askgateway.core.UserId;
import io.vertx.ext.web.RoutingContext;

/** What becomes of a request once it is known whose it is, or that it is nobody's. It is paused. */
public interface Threshold {
  /** Lets it through, or fails it. */
  void known(RoutingContext ctx, UserId person);

  /** Fails it, by the reason given or a better one. */
  void refused(RoutingContext ctx, Throwable reason);
}
