package dev.askgateway.e2e;

import dev.askgateway.intake.Tokens;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.UUID;

/** Somebody who asks. */
record Person(String id) {

  /** Somebody nobody has heard of. */
  static Person unknown() {
    return new Person("person-" + UUID.randomUUID());
  }

  String token() {
    return Tokens.hs256(id);
  }

  /** A token whose time is over, beyond any skew. */
  String expiredToken() {
    JsonObject claims = Tokens.claims(id).put("exp", Instant.now().getEpochSecond() - 3600);
    return Tokens.hs256(
        new JsonObject().put("alg", "HS256").put("typ", "JWT"), claims, Tokens.SECRET);
  }
}
