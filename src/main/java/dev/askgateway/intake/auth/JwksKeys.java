package dev.askgateway.intake.auth;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Published keys, fetched when they are first needed, when they grow old, and when a token names one
 * that is not known. Keys that were fetched once are kept while later fetches fail. Lives on one
 * event loop, so the limit on fetches holds for each instance of the door.
 */
final class JwksKeys implements Keys {
  private static final Set<String> TYPES = Set.of("EC", "RSA");

  private final Vertx vertx;
  private final AuthConfig config;
  private final Supplier<Future<JsonObject>> source;
  private final InstantSource clock;
  private @Nullable Known known;
  private @Nullable Future<Void> fetching;
  private @Nullable Instant lastTry;
  private boolean lastFailed;

  private record Known(JWTAuth verifier, Set<String> ids, boolean anonymous, Instant at) {

    boolean has(TokenHead head) {
      return head.keyId() == null || ids.contains(head.keyId()) || (ids.isEmpty() && anonymous);
    }
  }

  JwksKeys(
      Vertx vertx, AuthConfig config, Supplier<Future<JsonObject>> source, InstantSource clock) {
    this.vertx = vertx;
    this.config = config;
    this.source = source;
    this.clock = clock;
  }

  @Override
  public Future<JWTAuth> verifierFor(TokenHead head) {
    Known now = known;
    if (now != null && now.has(head)) {
      if (isOlderThan(now.at(), config.maxKeyAge())) {
        refresh(); // nobody waits for it: the old keys still serve
      }
      return Future.succeededFuture(now.verifier());
    }
    return refresh().transform(tried -> {
      Known then = known;
      if (then != null && then.has(head)) {
        return Future.succeededFuture(then.verifier());
      }
      return Future.failedFuture(
          then == null || lastFailed
              ? new GatewayError(
                  GatewayError.Code.DEPENDENCY_UNAVAILABLE, "The sign-in keys are not reachable.")
              : Authenticator.refused());
    });
  }

  /** Fetches the keys unless that was tried a moment ago; many callers share one fetch. */
  private Future<Void> refresh() {
    Future<Void> running = fetching;
    if (running != null) {
      return running;
    }
    if (lastTry != null && !isOlderThan(lastTry, config.minRefetch())) {
      return Future.succeededFuture();
    }
    lastTry = clock.instant();
    Future<Void> fetch = fetch().map(this::take);
    fetching = fetch;
    return fetch.onComplete(done -> {
      fetching = null;
      lastFailed = done.failed();
    });
  }

  private Future<JsonObject> fetch() {
    try {
      return source.get();
    } catch (RuntimeException refused) {
      return Future.failedFuture(refused);
    }
  }

  private @Nullable Void take(JsonObject jwks) {
    List<JsonObject> keys = jwks.getJsonArray("keys").stream()
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .filter(this::isUsable)
        .map(JwksKeys::pinned)
        .toList();
    if (keys.isEmpty()) {
      // A publisher's accident must not lock everybody out.
      throw new IllegalStateException("the key set holds no usable key");
    }
    JWTAuth verifier =
        JWTAuth.create(vertx, Authenticator.signatureOnly(new JWTAuthOptions().setJwks(keys)));
    Set<String> ids = keys.stream()
        .map(key -> key.getString("kid"))
        .filter(java.util.Objects::nonNull)
        .collect(Collectors.toSet());
    known = new Known(verifier, ids, ids.size() < keys.size(), clock.instant());
    return null;
  }

  private boolean isUsable(JsonObject key) {
    boolean signs = key.getValue("use") == null || "sig".equals(key.getValue("use"));
    boolean curve = !"EC".equals(key.getValue("kty")) || "P-256".equals(key.getValue("crv"));
    Object algorithm = key.getValue("alg");
    return TYPES.contains(key.getString("kty", ""))
        && signs
        && curve
        && (algorithm == null || config.algorithms().contains(algorithm));
  }

  private static JsonObject pinned(JsonObject key) {
    String algorithm = "EC".equals(key.getString("kty")) ? "ES256" : "RS256";
    return key.copy().put("alg", algorithm);
  }

  private boolean isOlderThan(Instant then, Duration age) {
    return !clock.instant().isBefore(then.plus(age));
  }
}
