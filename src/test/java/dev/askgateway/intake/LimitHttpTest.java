package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.limit.Claim;
import dev.askgateway.budget.limit.Limit;
import dev.askgateway.budget.limit.Limiter;
import dev.askgateway.budget.limit.LocalLimiter;
import dev.askgateway.budget.limit.Verdict;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.Door.Answer;
import dev.askgateway.intake.limit.LimitConfig;
import dev.askgateway.intake.limit.LimitParts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A door with limits")
class LimitHttpTest {
  private static final String ASK = "/ai/assistant/messages";
  private static final JsonObject QUESTION = new JsonObject().put("question", "When?");

  private final Door door = new Door();
  private final List<String> limited = new CopyOnWriteArrayList<>();
  private final Watched limiter = new Watched();

  @AfterEach
  void close() {
    door.close();
  }

  /** The limits of one node, whose releases can be waited for. */
  private static final class Watched implements Limiter {
    private final Limiter inner = new LocalLimiter();
    private final BlockingQueue<String> released = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> renewed = new LinkedBlockingQueue<>();
    private Duration lease = Duration.ofMinutes(1);

    @Override
    public Future<Verdict> take(Claim claim) {
      return inner.take(claim);
    }

    @Override
    public Future<Void> renew(Claim claim) {
      renewed.add(claim.request());
      return inner.renew(claim);
    }

    @Override
    public Future<Void> release(Claim claim) {
      return inner.release(claim).onSuccess(done -> released.add(claim.request()));
    }

    @Override
    public Duration lease() {
      return lease;
    }

    void awaitRelease() {
      await(released);
    }

    void awaitRenewal() {
      await(renewed);
    }

    private static void await(BlockingQueue<String> queue) {
      try {
        assertThat(queue.poll(15, TimeUnit.SECONDS)).isNotNull();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }
  }

  private void open(Limit ask, Limit other, Limit address, int trustedProxies) {
    LimitConfig config = new LimitConfig(ask, other, address, trustedProxies);
    door.limits = new LimitParts(
        config, limiter, (scope, reason) -> limited.add(scope.name() + " " + reason.name()));
    door.config = Door.config(64 * 1024, List.of("https://app.test"));
    door.open();
  }

  private static void assertHeaders(
      Answer answer, String limit, String remaining, String reset, String policy) {
    assertThat(answer.header("ratelimit-limit")).isEqualTo(limit);
    assertThat(answer.header("ratelimit-remaining")).isEqualTo(remaining);
    assertThat(answer.header("ratelimit-reset")).isEqualTo(reset);
    assertThat(answer.header("ratelimit-policy")).isEqualTo(policy);
  }

  @Test
  @DisplayName("counts a person's questions down, streamed or not, and refuses with a time to wait")
  void questions() {
    open(new Limit(1, 2, 0), Limit.OFF, Limit.OFF, 0);

    Answer whole = door.post(ASK, QUESTION);
    Answer streamed = door.post(ASK, QUESTION, "Accept", "text/event-stream");
    Answer refused = door.post(ASK, QUESTION, "Origin", "https://app.test");

    assertThat(whole.status()).isEqualTo(201);
    assertHeaders(whole, "2", "1", "60", "1;w=60;burst=2");
    assertThat(streamed.header("content-type")).startsWith("text/event-stream");
    assertThat(streamed.header("ratelimit-remaining")).isEqualTo("0");
    assertThat(refused.status()).isEqualTo(429);
    int wait = Integer.parseInt(refused.header("retry-after"));
    assertThat(wait).isBetween(1, 60);
    assertHeaders(refused, "2", "0", Integer.toString(wait), "1;w=60;burst=2");
    JsonObject body = refused.json();
    assertThat((body.getLong("retryAfterMs") + 999) / 1_000).isEqualTo(wait);
    body.remove("retryAfterMs");
    assertThat(body)
        .isEqualTo(new JsonObject()
            .put("success", false)
            .put("error", "There were too many requests; try again later.")
            .put("code", "rate_limited")
            .put("retryable", true)
            .put("requestId", refused.header("x-request-id")));
    assertThat(refused.header("access-control-expose-headers"))
        .contains("ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy")
        .contains("retry-after");
    assertThat(door.answers.asked).hasSize(2);
    assertThat(limited).containsExactly("ASK RATE");
  }

  @Test
  @DisplayName("has other buckets for other requests and other people, and none for probes")
  void buckets() {
    open(new Limit(1, 1, 0), new Limit(1, 2, 0), new Limit(1, 1, 0), 0);

    assertThat(door.post(ASK, QUESTION).status()).isEqualTo(201);
    assertThat(door.post("/ai/search", new JsonObject().put("query", "When?")).status())
        .isEqualTo(429);
    assertHeaders(door.get("/ai/nothing"), "2", "1", "60", "1;w=60;burst=2");
    assertThat(door.get("/ai/nothing").status()).isEqualTo(404);
    assertThat(door.get("/ai/nothing").status()).isEqualTo(429);
    assertThat(door.send(door.request("/ai/nothing")
                .header("Authorization", "Bearer " + Tokens.hs256("somebody-else"))
                .GET())
            .status())
        .isEqualTo(404);
    for (int i = 0; i < 5; i++) {
      for (String path : List.of("/health/live", "/metrics", "/openapi.yaml")) {
        Answer probe = door.send(door.request(path).GET());
        assertThat(probe.status()).isEqualTo(200);
        assertThat(probe.header("ratelimit-limit")).isEmpty();
      }
    }
    assertThat(limited).containsExactly("ASK RATE", "OTHER RATE");
  }

  @Test
  @DisplayName("refuses before the body has come")
  void beforeTheBody() throws IOException {
    open(new Limit(1, 1, 0), Limit.OFF, Limit.OFF, 0);
    door.post(ASK, QUESTION);
    String said = door.raw(
        "POST " + ASK + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + Tokens.hs256(Door.PERSON)
            + "\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n"
            + "Expect: 100-continue\r\n\r\n",
        "rate_limited");
    assertThat(said).startsWith("HTTP/1.1 429 ").doesNotContain("100 Continue");
  }

  private Answer stranger(String... headers) {
    HttpRequest.Builder request = door.request("/ai/assistant/threads").GET();
    return door.send(headers.length == 0 ? request : request.headers(headers));
  }

  @Test
  @DisplayName("counts who shows no valid token by the socket, whatever the client forwards")
  void spoofed() {
    open(Limit.OFF, Limit.OFF, new Limit(1, 2, 0), 0);

    Answer first = stranger("X-Forwarded-For", "203.0.113.1");
    assertThat(first.status()).isEqualTo(401);
    assertHeaders(first, "2", "1", "60", "1;w=60;burst=2");
    assertThat(stranger("X-Forwarded-For", "203.0.113.2", "Authorization", "Bearer x")
            .status())
        .isEqualTo(401);
    Answer third = stranger("X-Forwarded-For", "203.0.113.3");
    assertThat(third.status()).isEqualTo(429);
    assertThat(third.code()).isEqualTo("rate_limited");
    assertThat(third.header("retry-after")).isNotEmpty();
    assertThat(door.post(ASK, QUESTION).status())
        .as("a person at the same address")
        .isEqualTo(201);
    assertThat(limited).containsExactly("ADDRESS RATE");
  }

  @Test
  @DisplayName("behind trusted proxies believes what they wrote, and nothing before it")
  void proxied() {
    open(Limit.OFF, Limit.OFF, new Limit(1, 1, 0), 2);

    assertThat(stranger("X-Forwarded-For", "1.1.1.1, 203.0.113.1, 10.0.0.1").status())
        .isEqualTo(401);
    assertThat(stranger("X-Forwarded-For", "2.2.2.2, 203.0.113.1, 10.0.0.1").status())
        .as("another invention of the same client")
        .isEqualTo(429);
    assertThat(stranger("X-Forwarded-For", "203.0.113.2", "X-Forwarded-For", "10.0.0.1")
            .status())
        .as("another client, in two headers")
        .isEqualTo(401);
    assertThat(stranger("X-Forwarded-For", "203.0.113.3").status())
        .as("past a proxy: by its socket")
        .isEqualTo(401);
    assertThat(stranger("X-Forwarded-For", "no address, 10.0.0.1").status())
        .as("what is no address: by its socket too")
        .isEqualTo(429);
  }

  @Test
  @DisplayName("gives a place back when an answer ends, and refuses the one too many at once")
  void concurrency() {
    open(new Limit(0, 1, 1), Limit.OFF, Limit.OFF, 0);
    Promise<Void> gate = Promise.promise();
    door.answers.gate = gate.future();
    var running = door.http.sendAsync(
        door.signed(ASK)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(QUESTION.encode()))
            .build(),
        HttpResponse.BodyHandlers.ofString());
    awaitAsked(1);

    Answer refused = door.post(ASK, QUESTION);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("retry-after")).isEqualTo("1");
    assertThat(refused.header("ratelimit-limit")).isEmpty();
    assertThat(refused.json().getBoolean("retryable")).isTrue();
    assertThat(limited).containsExactly("ASK CONCURRENCY");

    gate.complete();
    assertThat(running.join().statusCode()).isEqualTo(201);
    limiter.awaitRelease();
    assertThat(door.post(ASK, QUESTION).status()).isEqualTo(201);
    limiter.awaitRelease();
    assertThat(limiter.released).isEmpty();
  }

  @Test
  @DisplayName("gives a place back after a refused question, a failed answer and a bad body")
  void errors() {
    open(new Limit(0, 1, 1), Limit.OFF, Limit.OFF, 0);
    door.answers.refusal = new GatewayError(GatewayError.Code.BUDGET_EXHAUSTED, "No.");
    assertThat(door.post(ASK, QUESTION).status()).isEqualTo(402);
    limiter.awaitRelease();
    door.answers.refusal = null;
    door.answers.failure = new AnswerEvent.Failure(GatewayError.Code.PROVIDER_FAILED, "No.");
    assertThat(door.post(ASK, QUESTION, "Accept", "text/event-stream").status()).isEqualTo(200);
    limiter.awaitRelease();
    assertThat(door.post(ASK, "{\"question\":5}").status()).isEqualTo(400);
    limiter.awaitRelease();
    assertThat(limited).isEmpty();
  }

  @Test
  @DisplayName("renews the place of a long stream, and gives it back when the client is gone")
  void disconnect() throws IOException {
    limiter.lease = Duration.ofMillis(60);
    open(new Limit(0, 1, 1), Limit.OFF, Limit.OFF, 0);
    door.answers.gate = Promise.<Void>promise().future();
    try (Socket socket = new Socket("127.0.0.1", door.port())) {
      String body = QUESTION.encode();
      socket
          .getOutputStream()
          .write(("POST " + ASK + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                  + Tokens.hs256(Door.PERSON)
                  + "\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"
                  + "Content-Length: " + body.length() + "\r\n\r\n" + body)
              .getBytes(StandardCharsets.US_ASCII));
      awaitAsked(1);
      limiter.awaitRenewal();
      limiter.awaitRenewal();
      assertThat(door.post(ASK, QUESTION).status()).isEqualTo(429);
      assertThat(limiter.released).isEmpty();
    }
    limiter.awaitRelease();
    door.answers.gate = null;
    assertThat(door.post(ASK, QUESTION).status()).isEqualTo(201);
  }

  @Test
  @DisplayName("gives it back when a stream of HTTP/2 is reset too")
  void reset() {
    open(new Limit(0, 1, 1), Limit.OFF, Limit.OFF, 0);
    door.answers.gate = Promise.<Void>promise().future();
    var running = door.http.sendAsync(
        door.signed(ASK)
            .version(HttpClient.Version.HTTP_2)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(QUESTION.encode()))
            .build(),
        HttpResponse.BodyHandlers.ofString());
    awaitAsked(1);
    running.cancel(true);
    limiter.awaitRelease();
    assertThat(limiter.renewed).isEmpty();
  }

  private void awaitAsked(int questions) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    while (door.answers.asked.size() < questions) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
