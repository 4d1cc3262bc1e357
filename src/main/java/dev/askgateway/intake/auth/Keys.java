package dev.askgateway.intake.auth;

import io.vertx.core.Future;
import io.vertx.ext.auth.jwt.JWTAuth;

/** The keys that tokens are verified with. */
interface Keys {

  /**
   * The verifier for a token with that head.
   *
   * @return fails with a {@link dev.askgateway.core.GatewayError}: unauthenticated when no such key
   *     exists, dependency_unavailable when it cannot be known
   */
  Future<JWTAuth> verifierFor(TokenHead head);
}
