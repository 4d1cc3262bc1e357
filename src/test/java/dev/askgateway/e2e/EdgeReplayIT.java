package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request of the edge that is sent again under its idempotency key")
class EdgeReplayIT {
  private static final String CHAT = "/v1/chat/completions";
  private static final String EMBEDDINGS = "/v1/embeddings";
  private static final String REPLAYED = "idempotent-replayed";

  /** 120 tokens in at 1 micro-USD, 30 out at 2. */
  private static final long COST = 180;

  private static Model model;
  private static Node one;
  private static Node two;

  private final Person person = Person.unknown();
  private final String key = "key " + UUID.randomUUID();
  private final AtomicReference<Exchange> held = new AtomicReference<>();
  private final int before = model.requests();

  @BeforeAll
  static void start() {
    model = new Model();
    one = node("10s");
    two = node("10s");
  }

  private static Node node(String drainTimeout) {
    return Node.start(model.settings(
        "ASK_ANSWER_SWEEP_INTERVAL", "100ms", "ASK_HTTP_DRAIN_TIMEOUT", drainTimeout));
  }

  @AfterAll
  static void stop() {
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
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString(body.encode())));
  }

  private EventStream stream(Node node) {
    return EventStream.post(node.port(), CHAT, person.token(), asking(true), key);
  }

  private static String rest(EventStream stream) {
    StringBuilder rest = new StringBuilder();
    for (Frame frame = stream.next(); frame != null; frame = stream.next()) {
      rest.append(frame.raw());
    }
    return rest.toString();
  }

  /** From now on the model says one word and waits to be told to go on. */
  private void modelWaits() {
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("one "));
      held.set(exchange);
    });
  }

  private void modelGoesOn() {
    held.get().chunk(Model.delta(Words.ANSWER) + Model.STOP + Model.USAGE + Model.DONE);
    held.get().endBody();
  }

  private static String code(Reply reply) {
    return reply.status() + " " + reply.json().getJsonObject("error").getString("code");
  }

  private static String sentence(Reply reply) {
    return reply.json().getJsonObject("error").getString("message");
  }

  private void isCalledAndChargedOnce() {
    Await.until("it is charged", () -> Data.spent(person) > 0 && Data.pendingHolds(person) == 0);
    assertThat(Data.spent(person)).isEqualTo(COST);
    assertThat(model.requests() - before).isOne();
  }

  @Test
  @DisplayName(
      "is followed from its first event while it runs elsewhere, and told again byte for byte")
  void attach() {
    modelWaits();
    EventStream first = stream(one);
    Frame begin = first.next();
    EventStream second = stream(two);

    assertThat(begin.raw()).contains("one ");
    assertThat(second.next()).isEqualTo(begin);
    assertThat(first.header(REPLAYED)).isEmpty();
    assertThat(second.header(REPLAYED)).isEqualTo("true");
    modelGoesOn();
    String rest = rest(first);
    assertThat(rest).contains(Words.ANSWER).endsWith("data: [DONE]\n\n");
    assertThat(rest(second)).isEqualTo(rest);
    for (Node node : new Node[] {one, two}) {
      Reply again = post(node, CHAT, asking(true));
      assertThat(again.text()).isEqualTo(begin.raw() + rest);
      assertThat(again.header(REPLAYED)).isEqualTo("true");
      assertThat(again.header("content-type")).startsWith("text/event-stream");
    }
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName(
      "gives the one JSON answer again, with the time of the first; another body is a conflict")
  void json() {
    model.says(Model.delta(Words.ANSWER), Model.STOP, Model.USAGE, Model.DONE);
    Reply first = post(one, CHAT, asking(false));
    long created = first.json().getLong("created");
    Await.until("the second is over", () -> System.currentTimeMillis() / 1000 > created + 1);

    for (Node node : new Node[] {one, two}) {
      Reply again = post(node, CHAT, asking(false));
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(again.header(REPLAYED)).isEqualTo("true");
      Reply other = post(node, CHAT, asking(true));
      assertThat(code(other)).isEqualTo("409 request_conflict");
      assertThat(other.header(REPLAYED)).isEmpty();
      assertThat(other.header("x-should-retry")).isEqualTo("false");
    }
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("goes on when its first reader is gone, for the one who sent it again")
  void readerLeaves() {
    modelWaits();
    EventStream first = stream(one);
    Frame begin = first.next();
    first.close();
    try (EventStream second = stream(two)) {
      assertThat(second.next()).isEqualTo(begin);
      modelGoesOn();
      assertThat(rest(second)).contains(Words.ANSWER).endsWith("data: [DONE]\n\n");
    }
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("is thirty times over two gateways one call, one charge and one text")
  void thirty() {
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(Model.delta("one "));
      model.vertx().setTimer(300, later -> {
        exchange.chunk(Model.delta(Words.ANSWER) + Model.STOP + Model.USAGE + Model.DONE);
        exchange.endBody();
      });
    });
    ExecutorService clients = Executors.newFixedThreadPool(30);
    try {
      List<CompletableFuture<Reply>> posts = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        Node node = i % 2 == 0 ? one : two;
        posts.add(CompletableFuture.supplyAsync(() -> post(node, CHAT, asking(true)), clients));
      }
      List<Reply> replies = posts.stream().map(CompletableFuture::join).toList();

      Set<String> texts = replies.stream().map(Reply::text).collect(Collectors.toSet());
      assertThat(texts).hasSize(1);
      assertThat(texts.iterator().next()).contains(Words.ANSWER).endsWith("data: [DONE]\n\n");
      assertThat(replies.stream().filter(reply -> reply.header(REPLAYED).isEmpty()))
          .hasSize(1);
    } finally {
      clients.shutdown();
    }
    isCalledAndChargedOnce();
  }

  @Test
  @DisplayName("fails again as it failed, without another call")
  void failure() {
    model.does(ScriptedProvider.status(500, "", "{}"));
    Reply first = post(one, CHAT, asking(false));
    int calls = model.requests();

    Reply again = post(two, CHAT, asking(false));

    assertThat(code(first)).isEqualTo("502 provider_failed");
    assertThat(first.header("x-should-retry")).isEmpty();
    assertThat(again.status()).isEqualTo(502);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.header(REPLAYED)).isEqualTo("true");
    assertThat(again.header("x-should-retry")).isEqualTo("false");
    assertThat(model.requests()).isEqualTo(calls);
    assertThat(Data.spent(person)).isZero();
  }

  @Test
  @DisplayName("ends with an error for who follows it when its gateway is stopped")
  void interrupted() {
    modelWaits();
    Node three = node("200ms");
    EventStream first = stream(three);
    Frame begin = first.next();
    EventStream second = stream(two);
    assertThat(second.next()).isEqualTo(begin);

    Future<Void> stopped = three.stop();

    assertThat(rest(second)).contains("\"code\":\"interrupted\"").doesNotContain(Words.ANSWER);
    Wait.on(stopped);
    three.close();
    assertThat(model.requests() - before).isOne();
  }

  @Test
  @DisplayName(
      "of a gateway that died ends with an error once it is swept, and is never asked of a model")
  void dead() throws Exception {
    UUID id = UUID.randomUUID();
    byte[] body = asking(true).encode().getBytes(StandardCharsets.UTF_8);
    Data.number(
        "SELECT (ask.begin_turn(?, ?, ?, 'completion', NULL, NULL, NULL, '{}', '', 'm', 'dead',"
            + " 1500, 500, 'book', 0) ->> 'begun')::boolean::integer",
        person.id(),
        id,
        MessageDigest.getInstance("SHA-256").digest(body));

    Reply reply = Api.send(two.as(person)
        .request(CHAT)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", id.toString())
        .POST(BodyPublishers.ofByteArray(body)));

    assertThat(code(reply)).isEqualTo("500 interrupted");
    assertThat(reply.header(REPLAYED)).isEqualTo("true");
    assertThat(model.requests()).isEqualTo(before);
    assertThat(Data.pendingHolds(person)).isZero();
  }

  @Test
  @DisplayName("gives the same vectors, embedded once")
  void vectors() {
    JsonObject texts = new JsonObject()
        .put("model", "e5-384")
        .put("input", new JsonArray().add("one").add("two"));
    Reply first = post(one, EMBEDDINGS, texts);

    Reply again = post(two, EMBEDDINGS, texts);

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.header(REPLAYED)).isEmpty();
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.header(REPLAYED)).isEqualTo("true");
    assertThat(code(post(two, EMBEDDINGS, texts.copy().put("input", "one"))))
        .isEqualTo("409 request_conflict");
    Await.until("it is settled", () -> Data.pendingHolds(person) == 0);
    assertThat(
            Data.number("SELECT count(*) FROM ask.ai_usage_events WHERE user_id = ?", person.id()))
        .isOne();
  }

  @Test
  @DisplayName("is refused for now without Redis, and for good when its answer is no longer kept")
  void redisAway() {
    assumeThat(System.getenv("REDIS_URL"))
        .as("a Redis of our own, to be stopped")
        .isNull();
    model.says(Model.delta(Words.ANSWER), Model.STOP, Model.USAGE, Model.DONE);
    assertThat(post(one, CHAT, asking(false)).status()).isEqualTo(200);
    DevServices.shared().stopRedis();
    try {
      Reply away = post(two, CHAT, asking(false));
      assertThat(code(away)).isEqualTo("503 dependency_unavailable");
      assertThat(away.header("retry-after")).isEqualTo("5");
      assertThat(away.header("x-should-retry")).isEmpty();
    } finally {
      DevServices.shared().startRedis();
    }
    Await.until(
        "Redis is back",
        () -> two.as(person).get("/health/ready").json().getString("status").equals("up"));
    Reply lost = post(two, CHAT, asking(false));
    assertThat(code(lost)).isEqualTo("409 request_conflict");
    assertThat(sentence(lost)).contains("no longer kept");
    isCalledAndChargedOnce();
  }
}
