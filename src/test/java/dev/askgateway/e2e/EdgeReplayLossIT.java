package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.RedisLink;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Of what was told under an idempotency key and was not kept whole, a repetition")
class EdgeReplayLossIT {
  private static final String CHAT = "/v1/chat/completions";
  private static final String EMBEDDINGS = "/v1/embeddings";
  private static final String NOT_KEPT = "no longer kept";

  /** More than 4 MiB together. */
  private static final int PIECES = 70;

  private static final String PIECE = Model.delta("x".repeat(64 << 10));

  /** 120 tokens in at 1 micro-USD, 30 out at 2. */
  private static final long COST = 180;

  private static Model model;
  private static Node one;
  private static Node two;
  private static Redis redis;

  private final Person person = Person.unknown();
  private final UUID id = UUID.randomUUID();
  private final AtomicReference<Exchange> held = new AtomicReference<>();
  private final int before = model.requests();

  @BeforeAll
  static void start() {
    model = new Model();
    Map<String, String> settings = model.settings("ASK_ANSWER_SWEEP_INTERVAL", "100ms");
    one = Node.start(settings);
    two = Node.start(settings);
    redis = Redis.createClient(model.vertx(), DevServices.shared().redisUrl());
  }

  @AfterAll
  static void stop() {
    redis.close();
    two.close();
    one.close();
    model.close();
  }

  private static JsonObject asking(boolean stream) {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", stream)
        .put("max_tokens", 100)
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject().put("role", "user").put("content", Words.QUESTION)));
  }

  private Reply post(Node node, String path, JsonObject body) {
    return Api.send(node.as(person)
        .request(path)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", id.toString())
        .POST(BodyPublishers.ofString(body.encode())));
  }

  private EventStream stream(Node node) {
    return EventStream.post(node.port(), CHAT, person.token(), asking(true), id.toString());
  }

  private static String rest(EventStream stream) {
    StringBuilder rest = new StringBuilder();
    for (Frame frame = stream.next(); frame != null; frame = stream.next()) {
      rest.append(frame.raw());
    }
    return rest.toString();
  }

  /** From now on the model says these pieces and waits to be told to go on. */
  private void modelSays(String piece, int times) {
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      for (int i = 0; i < times; i++) {
        exchange.chunk(piece);
      }
      held.set(exchange);
    });
  }

  private void modelGoesOn() {
    Await.until("the model was asked", () -> held.get() != null);
    held.get().chunk(Model.delta(Words.ANSWER) + Model.STOP + Model.USAGE + Model.DONE);
    held.get().endBody();
  }

  /** The key of the request's log. */
  private String log() {
    return RedisLink.key(person.id(), "edge:" + id);
  }

  /** A gateway that is dead by now has begun it, as a completion. */
  private void beganElsewhere(JsonObject body) throws NoSuchAlgorithmException {
    Data.number(
        "SELECT (ask.begin_turn(?, ?, ?, 'completion', NULL, NULL, NULL, '{}', '', 'm', 'dead',"
            + " 1500, 500, 'book', 0) ->> 'begun')::boolean::integer",
        person.id(),
        id,
        MessageDigest.getInstance("SHA-256")
            .digest(body.encode().getBytes(StandardCharsets.UTF_8)));
  }

  /** And has told these events of it. */
  private void told(String events) {
    String opened = "{\"e\":\"opened\",\"at\":1700000000},";
    redis(Command.XADD, log(), "1-0", "e", "[" + opened + events + "]");
  }

  private static Response redis(Command command, String... arguments) {
    Request request = Request.cmd(command);
    for (String argument : arguments) {
      request.arg(argument);
    }
    return Wait.on(redis.send(request));
  }

  private static String code(Reply reply) {
    return reply.status() + " " + reply.json().getJsonObject("error").getString("code");
  }

  private void isCalledAndChargedOnce() {
    Await.until("it is charged", () -> Data.spent(person) > 0 && Data.pendingHolds(person) == 0);
    assertThat(Data.spent(person)).isEqualTo(COST);
    assertThat(model.requests() - before).isOne();
  }

  @Test
  @DisplayName("is told where it was cut for its length, while it runs and afterwards")
  void tooLong() {
    modelSays(PIECE, PIECES);
    EventStream first = stream(one);
    for (int i = 0; i < PIECES; i++) {
      assertThat(first.next().raw()).contains("xxxx");
    }

    String followed = rest(stream(two));
    modelGoesOn();

    assertThat(followed).contains("xxxx", NOT_KEPT).doesNotContain(Words.ANSWER);
    assertThat(rest(first)).contains(Words.ANSWER).endsWith("data: [DONE]\n\n");
    assertThat(post(two, CHAT, asking(true)).text())
        .contains("xxxx", NOT_KEPT)
        .doesNotContain(Words.ANSWER);
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("is a conflict if the one JSON answer is too long to be kept")
  void tooLongJson() {
    modelSays(PIECE, PIECES);
    CompletableFuture<Reply> first =
        CompletableFuture.supplyAsync(() -> post(one, CHAT, asking(false)));
    modelGoesOn();
    assertThat(first.join().status()).isEqualTo(200);
    assertThat(first.join().text()).contains(Words.ANSWER);

    Reply again = post(two, CHAT, asking(false));

    assertThat(code(again)).isEqualTo("409 request_conflict");
    assertThat(again.text()).contains(NOT_KEPT);
    assertThat(again.header("x-should-retry")).isEqualTo("false");
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("is a conflict if its vectors are more than a MiB, and embeds nothing anew")
  void manyVectors(@TempDir Path folder) throws IOException {
    Vertx vertx = Vertx.vertx();
    try (EmbeddingServer server = new EmbeddingServer(vertx, 1)) {
      Map<String, String> settings = server.settings(folder, "words-1536");
      settings.put("ASK_SURFACES", "edge");
      try (Node here = Node.start(settings);
          Node there = Node.start(settings)) {
        JsonObject texts = new JsonObject()
            .put("model", "words-1536")
            .put("input", new JsonArray(Collections.nCopies(200, "one")));
        assertThat(post(here, EMBEDDINGS, texts).status()).isEqualTo(200);

        Reply again = post(there, EMBEDDINGS, texts);

        assertThat(code(again)).isEqualTo("409 request_conflict");
        assertThat(again.text()).contains(NOT_KEPT);
        assertThat(server.calls()).hasSize(1);
      }
    } finally {
      Wait.on(vertx.close());
    }
  }

  @Test
  @DisplayName("is a conflict if Redis lost its beginning; who had read that reads on")
  void lostBeginning() {
    modelSays(Model.delta("one "), 1);
    EventStream first = stream(one);
    Frame begin = first.next();
    EventStream second = stream(two);
    assertThat(second.next()).isEqualTo(begin);
    redis(Command.DEL, log());
    modelGoesOn();

    assertThat(rest(second)).isEqualTo(rest(first)).contains(Words.ANSWER);
    Reply late = post(two, CHAT, asking(true));
    assertThat(code(late)).isEqualTo("409 request_conflict");
    assertThat(late.text()).contains(NOT_KEPT).doesNotContain(Words.ANSWER);
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("ends where Redis lost the middle of it")
  void lostMiddle() {
    modelSays(Model.delta("one "), 1);
    EventStream first = stream(one);
    first.next();
    Await.until(
        "it is kept", () -> redis(Command.XLEN, log()).toLong() == 2); // after the beginning
    held.get().chunk(Model.delta("two "));
    first.next();
    Await.until("that is, too", () -> redis(Command.XLEN, log()).toLong() == 3);
    Response middle = redis(Command.XREVRANGE, log(), "+", "-", "COUNT", "1");
    redis(Command.XDEL, log(), middle.get(0).get(0).toString());
    modelGoesOn();
    assertThat(rest(first)).contains(Words.ANSWER);

    Reply late = post(two, CHAT, asking(true));

    assertThat(late.text())
        .contains("one ", NOT_KEPT)
        .doesNotContain("two ")
        .doesNotContain(Words.ANSWER);
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("in the other form is a conflict while it runs, and leaves it alone")
  void otherForm() {
    modelSays(Model.delta("one "), 1);
    EventStream first = stream(one);
    first.next();
    Reply json = post(two, CHAT, asking(false));
    assertThat(code(json)).isEqualTo("409 request_conflict");
    assertThat(json.text()).doesNotContain(NOT_KEPT);
    modelGoesOn();
    assertThat(rest(first)).contains(Words.ANSWER).endsWith("data: [DONE]\n\n");
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("as a stream is a conflict while the one JSON answer runs; as JSON it waits for it")
  void otherFormOfJson() {
    modelSays(Model.delta("one "), 1);
    CompletableFuture<Reply> first =
        CompletableFuture.supplyAsync(() -> post(one, CHAT, asking(false)));
    Await.until("the model was asked", () -> held.get() != null);
    CompletableFuture<Reply> again =
        CompletableFuture.supplyAsync(() -> post(two, CHAT, asking(false)));
    Reply stream = post(two, CHAT, asking(true));
    assertThat(code(stream)).isEqualTo("409 request_conflict");
    modelGoesOn();

    assertThat(first.join().text()).contains(Words.ANSWER);
    assertThat(again.join().text()).isEqualTo(first.join().text());
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("at another address finds a log that is not its own, and is a conflict")
  void otherKind() throws Exception {
    JsonObject texts = new JsonObject().put("model", "e5-384").put("input", "one");
    beganElsewhere(texts);
    told("{\"e\":\"text\",\"d\":\"one \"},{\"e\":\"ended\",\"usage\":{}}");

    Reply other = post(two, EMBEDDINGS, texts);

    assertThat(code(other)).isEqualTo("409 request_conflict");
    assertThat(other.text()).contains("another kind").doesNotContain("one ");
  }

  @Test
  @DisplayName(
      "is told how far its gateway got that died, and then that it was interrupted, by any")
  void ownerDied() throws Exception {
    beganElsewhere(asking(true));
    told("{\"e\":\"text\",\"d\":\"one \"}");

    String followed = rest(stream(two));
    String later = rest(stream(one));

    for (String told : new String[] {followed, later}) {
      assertThat(told).contains("\"one \"", "1700000000", "\"code\":\"interrupted\"");
    }
    assertThat(model.requests()).isEqualTo(before);
    assertThat(Data.pendingHolds(person)).isZero();
    assertThat(Data.spent(person)).isZero();
  }
}
