package dev.askgateway.intake.auth;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns a bearer token into the person it was issued to. Lives on one event loop. */
public final class Authenticator {
  private final AuthConfig config;
  private final Keys keys;
  private final InstantSource clock;

  /**
   * Builds the authenticator of one instance of the door.
   *
   * @param jwks fetches the key set ({@code {"keys": [...]}}); never called with a shared secret
   * @param clock what the time claims are held against
   */
  public Authenticator(
      Vertx vertx, AuthConfig config, Supplier<Future<JsonObject>> jwks, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    String secret = config.secret();
    if (secret == null) {
      keys = new JwksKeys(vertx, config, jwks, clock);
    } else {
      JWTAuth verifier = JWTAuth.create(
          vertx,
          signatureOnly(new JWTAuthOptions()
              .addPubSecKey(new PubSecKeyOptions().setAlgorithm("HS256").setBuffer(secret))));
      keys = head -> Future.succeededFuture(verifier);
    }
  }

  /**
   * Verifies a token.
   *
   * @return the person; fails with unauthenticated, or dependency_unavailable when the keys cannot be
   *     had
   */
  public Future<UserId> person(String token) {
    Optional<TokenHead> head = TokenHead.of(token);
    if (head.isEmpty() || !config.algorithms().contains(head.get().algorithm())) {
      return Future.failedFuture(refused());
    }
    return keys.verifierFor(head.get()).compose(verifier -> verified(verifier, token));
  }

  private Future<UserId> verified(JWTAuth verifier, String token) {
    return signature(verifier, token).compose(claims -> {
      UserId person = subject(claims);
      return person != null && isCurrent(claims) && isForUs(claims)
          ? Future.succeededFuture(person)
          : Future.failedFuture(refused());
    });
  }

  private static Future<JsonObject> signature(JWTAuth verifier, String token) {
    Future<JsonObject> claims;
    try {
      claims = verifier.authenticate(new TokenCredentials(token)).map(user -> user.attributes()
          .getJsonObject("accessToken", new JsonObject()));
    } catch (RuntimeException malformed) {
      return Future.failedFuture(refused());
    }
    return claims.recover(failure -> Future.failedFuture(refused()));
  }

  private static @Nullable UserId subject(JsonObject claims) {
    return claims.getValue("sub") instanceof String subject && UserId.isValid(subject)
        ? new UserId(subject)
        : null;
  }

  private boolean isCurrent(JsonObject claims) {
    Instant now = clock.instant();
    if (!(claims.getValue("exp") instanceof Number exp)
        || now.getEpochSecond() >= exp.longValue() + config.skew().toSeconds()) {
      return false;
    }
    Object nbf = claims.getValue("nbf");
    return nbf == null
        || (nbf instanceof Number from
            && now.getEpochSecond() >= from.longValue() - config.skew().toSeconds());
  }

  private boolean isForUs(JsonObject claims) {
    return isFromIssuer(claims) && isForAudience(claims);
  }

  private boolean isFromIssuer(JsonObject claims) {
    return config.issuer().isEmpty() || config.issuer().equals(claims.getValue("iss"));
  }

  private boolean isForAudience(JsonObject claims) {
    Object audience = claims.getValue("aud");
    return config.audience().isEmpty()
        || (audience instanceof JsonArray several
            ? several.contains(config.audience())
            : config.audience().equals(audience));
  }

  /** The library checks the signature; the claims are ours to check, against our own clock. */
  static JWTAuthOptions signatureOnly(JWTAuthOptions options) {
    return options.setJWTOptions(new JWTOptions().setIgnoreExpiration(true));
  }

  /** One answer for every token that is not good: it must not tell which check it failed. */
  static GatewayError refused() {
    return new GatewayError(
        GatewayError.Code.UNAUTHENTICATED, "A valid bearer token is needed for this.");
  }
}
