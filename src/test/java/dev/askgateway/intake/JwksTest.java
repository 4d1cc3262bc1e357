package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.intake.Tokens.Key;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.auth.Authenticator;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JwksTest {
  private Vertx vertx;
  private Instant now = Instant.now();
  private Future<JsonObject> published = Future.failedFuture("down");
  private int fetches;
  private Authenticator authenticator;

  static AuthConfig published() {
    return new AuthConfig(
        null,
        "https://keys.test/jwks",
        Tokens.ISSUER,
        Tokens.AUDIENCE,
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        Duration.ofMinutes(15));
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    authenticator = new Authenticator(
        vertx,
        published(),
        () -> {
          fetches++;
          return published;
        },
        () -> now);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private JsonObject claims() {
    return Tokens.claims("ana").put("exp", now.getEpochSecond() + 3600);
  }

  private UserId person(String token) throws Exception {
    try {
      return authenticator
          .person(token)
          .toCompletionStage()
          .toCompletableFuture()
          .get(10, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw (Exception) failed.getCause();
    }
  }

  private void assertRefused(String token, GatewayError.Code code) {
    assertThatThrownBy(() -> person(token))
        .isInstanceOfSatisfying(
            GatewayError.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  @Test
  @DisplayName("both kinds of published keys are believed, by their own algorithm only")
  void bothAlgorithms() throws Exception {
    Key curve = Key.es256("a");
    Key rsa = Key.rs256("b");
    published = Future.succeededFuture(Tokens.keySet(curve, rsa));
    assertThat(person(curve.sign(claims())).value()).isEqualTo("ana");
    assertThat(person(rsa.sign(claims())).value()).isEqualTo("ana");
    assertThat(fetches).isEqualTo(1);
    JsonObject confused = new JsonObject().put("alg", "HS256").put("kid", "b");
    assertRefused(
        Tokens.hs256(confused, claims(), rsa.jwk().getString("n")),
        GatewayError.Code.UNAUTHENTICATED);
    assertRefused(
        rsa.sign(new JsonObject().put("alg", "RS256").put("kid", "a"), claims()),
        GatewayError.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("a token that names no key is held against all of them")
  void noKeyId() throws Exception {
    Key first = Key.es256("a");
    Key second = Key.es256("b");
    published = Future.succeededFuture(Tokens.keySet(first, second));
    JsonObject head = new JsonObject().put("alg", "ES256");
    assertThat(person(second.sign(head, claims())).value()).isEqualTo("ana");
    assertRefused(Key.es256("a").sign(head, claims()), GatewayError.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("a rotated key is fetched when it is first named, and not more often than allowed")
  void rotation() throws Exception {
    Key old = Key.es256("old");
    Key fresh = Key.es256("fresh");
    published = Future.succeededFuture(Tokens.keySet(old));
    person(old.sign(claims()));
    published = Future.succeededFuture(Tokens.keySet(old, fresh));
    assertRefused(fresh.sign(claims()), GatewayError.Code.UNAUTHENTICATED);
    assertThat(fetches).as("too soon after the first").isEqualTo(1);
    now = now.plusSeconds(31);
    assertThat(person(fresh.sign(claims())).value()).isEqualTo("ana");
    assertThat(fetches).isEqualTo(2);
    for (int i = 0; i < 20; i++) {
      assertRefused(Key.es256("made-up-" + i).sign(claims()), GatewayError.Code.UNAUTHENTICATED);
    }
    assertThat(fetches).as("a flood of unknown keys").isEqualTo(2);
  }

  @Test
  @DisplayName("keys that are known outlive a publisher that is down or publishes nothing")
  void keptOnFailure() throws Exception {
    Key key = Key.es256("a");
    published = Future.succeededFuture(Tokens.keySet(key));
    person(key.sign(claims()));
    published = Future.failedFuture("down");
    now = now.plus(Duration.ofHours(1));
    assertThat(person(key.sign(claims())).value()).isEqualTo("ana");
    assertThat(fetches).as("they are old, so new ones were asked for").isEqualTo(2);
    published =
        Future.succeededFuture(new JsonObject().put("keys", new io.vertx.core.json.JsonArray()));
    now = now.plus(Duration.ofHours(1));
    assertThat(person(key.sign(claims())).value()).isEqualTo("ana");
    assertRefused(Key.es256("new").sign(claims()), GatewayError.Code.DEPENDENCY_UNAVAILABLE);
  }

  @Test
  @DisplayName("with no keys at all it cannot be known, which is not the token's fault")
  void neverReachable() throws Exception {
    Key key = Key.es256("a");
    assertRefused(key.sign(claims()), GatewayError.Code.DEPENDENCY_UNAVAILABLE);
    assertRefused(key.sign(claims()), GatewayError.Code.DEPENDENCY_UNAVAILABLE);
    assertThat(fetches).isEqualTo(1);
    published = Future.succeededFuture(Tokens.keySet(key));
    now = now.plusSeconds(31);
    assertThat(person(key.sign(claims())).value()).isEqualTo("ana");
  }

  @Test
  @DisplayName("a withdrawn key stops working once the keys grow old")
  void withdrawn() throws Exception {
    Key gone = Key.es256("gone");
    Key stays = Key.es256("stays");
    published = Future.succeededFuture(Tokens.keySet(gone, stays));
    person(gone.sign(claims()));
    published = Future.succeededFuture(Tokens.keySet(stays));
    now = now.plus(Duration.ofMinutes(16));
    person(stays.sign(claims()));
    assertRefused(gone.sign(claims()), GatewayError.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("keys that are not for signing, or are broken, do not spoil the others")
  void unusableKeys() throws Exception {
    Key good = Key.es256("good");
    Key encrypts = Key.rs256("enc");
    encrypts.jwk().put("use", "enc");
    Key broken = Key.es256("broken");
    broken.jwk().put("x", "???");
    JsonObject set = Tokens.keySet(encrypts, broken, good);
    set.getJsonArray("keys")
        .add(new JsonObject().put("kty", "oct").put("k", "c2VjcmV0"))
        .add("x");
    published = Future.succeededFuture(set);
    assertThat(person(good.sign(claims())).value()).isEqualTo("ana");
    assertRefused(encrypts.sign(claims()), GatewayError.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("the configuration refuses what cannot be right and never prints the secret")
  void configuration() {
    AuthConfig good = new AuthConfig(
        Tokens.SECRET, null, "i", "a", Duration.ZERO, Duration.ofSeconds(1), Duration.ofHours(1));
    assertThat(good.toString()).doesNotContain(Tokens.SECRET).contains("***");
    assertThatThrownBy(() -> new AuthConfig(
            "short", null, "i", "a", Duration.ZERO, Duration.ofSeconds(1), Duration.ofHours(1)))
        .hasMessage("auth.secret is ***; it must be at least 32 bytes long");
    assertThatThrownBy(() -> new AuthConfig(
            null, null, "i", "a", Duration.ZERO, Duration.ofSeconds(1), Duration.ofHours(1)))
        .hasMessageContaining("auth.secret is missing");
    assertThatThrownBy(() -> new AuthConfig(
            null, "ftp://x", "i", "a", Duration.ZERO, Duration.ofSeconds(1), Duration.ofHours(1)))
        .hasMessageContaining("auth.jwksUrl");
  }
}
