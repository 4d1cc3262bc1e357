package dev.askgateway.cli;

import dev.askgateway.core.UserId;
import dev.askgateway.intake.auth.AuthConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Duration;

/** Signs tokens for development with the secret of this gateway. In production an issuer does. */
public final class DevToken {
  private DevToken() {}

  /** An HS256 token that this configuration accepts for so long. */
  public static String sign(Vertx vertx, AuthConfig auth, UserId person, Duration ttl) {
    String secret = auth.secret();
    if (secret == null) {
      throw new IllegalStateException(
          "tokens are signed with auth.secret, and this configuration trusts auth.jwksUrl instead");
    }
    JWTOptions options = new JWTOptions()
        .setAlgorithm("HS256")
        .setSubject(person.value())
        .setExpiresInSeconds(Math.toIntExact(ttl.toSeconds()));
    if (!auth.issuer().isEmpty()) {
      options.setIssuer(auth.issuer());
    }
    if (!auth.audience().isEmpty()) {
      options.addAudience(auth.audience());
    }
    PubSecKeyOptions key = new PubSecKeyOptions().setAlgorithm("HS256").setBuffer(secret);
    return JWTAuth.create(vertx, new JWTAuthOptions().addPubSecKey(key))
        .generateToken(new JsonObject(), options);
  }
}
