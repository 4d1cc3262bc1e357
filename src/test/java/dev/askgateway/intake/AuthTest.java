package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.intake.Door.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AuthTest {
  private static final JsonObject HEAD = new JsonObject().put("alg", "HS256");
  private static Door door;

  @BeforeAll
  static void open() {
    door = new Door().open();
  }

  @AfterAll
  static void close() {
    door.close();
  }

  record Case(String name, String authorization) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case token(String name, JsonObject claims) {
    return new Case(name, "Bearer " + Tokens.hs256(HEAD, claims, Tokens.SECRET));
  }

  private static JsonObject claims() {
    return Tokens.claims(Door.PERSON);
  }

  private static JsonObject without(String claim) {
    JsonObject claims = claims();
    claims.remove(claim);
    return claims;
  }

  static List<Case> refused() {
    long now = Instant.now().getEpochSecond();
    String good = Tokens.hs256(Door.PERSON);
    List<Case> cases = new ArrayList<>(List.of(
        token("expired beyond the skew", claims().put("exp", now - 61)),
        token("no expiry", without("exp")),
        token("an expiry that is no number", claims().put("exp", "tomorrow")),
        token("not valid yet", claims().put("nbf", now + 120)),
        token("another audience", claims().put("aud", "somebody-else")),
        token(
            "audiences without ours",
            claims().put("aud", new JsonArray().add("a").add("b"))),
        token("no audience", without("aud")),
        token("an audience that is a number", claims().put("aud", 5)),
        token("another issuer", claims().put("iss", "https://evil.test")),
        token("no issuer", without("iss")),
        token("no subject", without("sub")),
        token("an empty subject", claims().put("sub", "")),
        token("a blank subject", claims().put("sub", " ")),
        token("a subject that is a number", claims().put("sub", 0)),
        token("a subject that is null", claims().putNull("sub")),
        token("a subject of 300 characters", claims().put("sub", "x".repeat(300))),
        token("a subject with a NUL", claims().put("sub", "a\0b")),
        token("a subject that is a list", claims().put("sub", new JsonArray().add("a")))));
    cases.add(new Case(
        "forged",
        "Bearer " + Tokens.hs256(HEAD, claims(), "another-secret-of-thirty-two-bytes!!")));
    cases.add(new Case(
        "algorithm none",
        "Bearer " + Tokens.unsigned(new JsonObject().put("alg", "none"), claims())));
    cases.add(new Case(
        "algorithm NONE with our signature",
        "Bearer " + Tokens.hs256(new JsonObject().put("alg", "NONE"), claims(), Tokens.SECRET)));
    cases.add(new Case(
        "no algorithm", "Bearer " + Tokens.hs256(new JsonObject(), claims(), Tokens.SECRET)));
    cases.add(new Case(
        "another algorithm",
        "Bearer " + Tokens.hs256(new JsonObject().put("alg", "HS384"), claims(), Tokens.SECRET)));
    cases.add(
        new Case("signed with a key pair", "Bearer " + Tokens.Key.es256("k").sign(claims())));
    cases.add(new Case(
        "a critical extension",
        "Bearer "
            + Tokens.hs256(
                new JsonObject().put("alg", "HS256").put("crit", new JsonArray().add("b64")),
                claims(),
                Tokens.SECRET)));
    cases.add(new Case("a changed payload", "Bearer " + swapPayload(good)));
    cases.add(new Case("no signature", "Bearer " + good.substring(0, good.lastIndexOf('.') + 1)));
    cases.add(new Case("two parts", "Bearer " + good.substring(0, good.lastIndexOf('.'))));
    cases.add(new Case("four parts", "Bearer " + good + ".x"));
    cases.add(new Case("not a token", "Bearer nonsense"));
    cases.add(new Case("an empty token", "Bearer "));
    cases.add(new Case("another scheme", "Basic dXNlcjpwYXNz"));
    cases.add(new Case("the token alone", good));
    return cases;
  }

  private static String swapPayload(String token) {
    String[] mine = token.split("\\.", -1);
    String[] other = Tokens.hs256("somebody-else").split("\\.", -1);
    return mine[0] + "." + other[1] + "." + mine[2];
  }

  @ParameterizedTest
  @MethodSource("refused")
  @DisplayName("a token that is not wholly good is refused with one code and the scheme to use")
  void isRefused(Case bad) {
    Answer answer = door.send(door.request("/ai/assistant/threads")
        .header("Authorization", bad.authorization())
        .GET());
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.code()).isEqualTo("unauthenticated");
    assertThat(answer.json().getBoolean("retryable")).isFalse();
    assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
    assertThat(answer.header("content-type")).startsWith("application/json");
  }

  @Test
  @DisplayName("no token, and two of them, are refused")
  void noneOrTwo() {
    assertThat(door.send(door.request("/ai/search").POST(HttpRequest.BodyPublishers.ofString("{}")))
            .status())
        .isEqualTo(401);
    Answer two = door.send(
        door.signed("/ai/assistant/threads").header("Authorization", "Bearer x").GET());
    assertThat(two.status()).isEqualTo(401);
  }

  @Test
  @DisplayName("clocks may differ by the skew, in both directions, and the scheme's case is free")
  void withinSkew() {
    long now = Instant.now().getEpochSecond();
    JsonObject edge = claims()
        .put("exp", now - 55)
        .put("nbf", now + 55)
        .put("aud", new JsonArray().add("other").add(Tokens.AUDIENCE));
    Answer answer = door.send(door.request("/ai/assistant/messages")
        .header("Authorization", "bEaReR " + Tokens.hs256(HEAD, edge, Tokens.SECRET))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"question\":\"hi\"}")));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(door.answers.last().user().value()).isEqualTo(Door.PERSON);
  }

  @Test
  @DisplayName("bodies arrive whole although the keys take their time, fifty at once")
  void bodiesSurviveSlowKeys() throws Exception {
    Tokens.Key key = Tokens.Key.es256("k1");
    try (Door slow = new Door()) {
      slow.auth = JwksTest.published();
      slow.jwks = () -> slow.vertx.timer(300).map(done -> Tokens.keySet(key));
      slow.open();
      String token = key.sign(claims());
      List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String question = i + " " + "x".repeat(1900);
        sent.add(slow.http.sendAsync(
            slow.request("/ai/assistant/messages")
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .expectContinue(i % 2 == 0)
                .POST(HttpRequest.BodyPublishers.ofString(
                    new JsonObject().put("question", question).encode()))
                .build(),
            HttpResponse.BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> answer : sent) {
        assertThat(answer.get().statusCode()).isEqualTo(201);
      }
      assertThat(slow.answers.asked)
          .hasSize(50)
          .allSatisfy(command -> assertThat(command.question()).hasSizeGreaterThan(1900));
    }
  }
}
