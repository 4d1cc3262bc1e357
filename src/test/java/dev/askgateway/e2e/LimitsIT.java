package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.askgateway.devservices.DevServices;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Limits over two nodes")
class LimitsIT {
  private static final String CHAT = "/v1/chat/completions";

  private static Model model;
  private static Node one;
  private static Node other;

  @BeforeAll
  static void start() {
    model = new Model();
    Map<String, String> settings = model.settings(
        "ASK_LIMITS_ASK_PER_MINUTE", "1",
        "ASK_LIMITS_ASK_BURST", "4",
        "ASK_LIMITS_ASK_CONCURRENT", "2",
        "ASK_STREAM_GRACE", "0s");
    one = Node.start(settings);
    other = Node.start(settings);
    model.says(Model.delta("Hi"), Model.STOP, Model.USAGE, Model.DONE);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    model.close();
  }

  private static JsonObject asking(boolean stream) {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", stream)
        .put("max_tokens", 20)
        .put(
            "messages",
            new JsonArray().add(new JsonObject().put("role", "user").put("content", "Who?")));
  }

  private static EventStream streaming(Node node, Person person) {
    return EventStream.post(node.port(), CHAT, person.token(), asking(true));
  }

  private static Reply post(Node node, Person person) {
    return node.as(person).post(CHAT, asking(false));
  }

  private static boolean share() {
    Person person = Person.unknown();
    return post(one, person).header("ratelimit-remaining").equals("3")
        && post(other, person).header("ratelimit-remaining").equals("2");
  }

  private static void assertLimited(Reply reply) {
    assertThat(reply.status()).isEqualTo(429);
    int wait = Integer.parseInt(reply.header("retry-after"));
    assertThat(wait).isBetween(1, 60);
    assertThat(reply.header("ratelimit-reset")).isEqualTo(Integer.toString(wait));
    JsonObject error = reply.json().getJsonObject("error");
    assertThat(error.getString("message")).endsWith(".");
    error.remove("message");
    assertThat(error.remove("request_id")).isEqualTo(reply.header("x-request-id"));
    assertThat(error)
        .isEqualTo(new JsonObject()
            .put("type", "rate_limit_error")
            .putNull("param")
            .put("code", "rate_limited"));
  }

  @Test
  @DisplayName(
      "a person's completions and questions come out of one bucket, whichever node is asked")
  void oneBucket() {
    Person person = Person.unknown();
    assertThat(post(one, person).header("ratelimit-remaining")).isEqualTo("3");
    try (EventStream stream = streaming(other, person)) {
      assertThat(stream.header("ratelimit-limit")).isEqualTo("4");
      assertThat(stream.header("ratelimit-remaining")).isEqualTo("2");
      assertThat(stream.header("ratelimit-policy")).isEqualTo("1;w=60;burst=4");
      stream.all();
    }
    assertThat(post(other, person).status()).isEqualTo(200);
    assertThat(post(one, person).status()).isEqualTo(200);

    assertLimited(post(one, person));
    assertLimited(post(other, person));
    Reply question = other.as(person).post(Api.ASK, Api.question("Who came?"));
    assertThat(question.refusal()).isEqualTo("429 rate_limited");
    assertThat(post(one, Person.unknown()).status()).isEqualTo(200);
    assertThat(one.as(person).get("/v1/models").status()).isEqualTo(200);
    assertThat(one.as(person).get("/metrics").text())
        .contains("ask_limited_total{reason=\"rate\",scope=\"ask\"}");
  }

  @Test
  @DisplayName("two streams at a time, on any node; who leaves has room again")
  void atATime() {
    Person person = Person.unknown();
    model.saysAndWaits(Model.delta("Hi"));
    try {
      EventStream first = streaming(one, person);
      EventStream second = streaming(other, person);
      assertThat(first.status()).isEqualTo(200);
      assertThat(second.header("ratelimit-remaining")).isEqualTo("2");
      Reply third = post(one, person);
      assertThat(third.status()).isEqualTo(429);
      assertThat(third.header("retry-after")).isEqualTo("1");
      assertThat(third.header("ratelimit-remaining")).isEqualTo("2");
      second.close();
      Await.until("there is room again", () -> {
        try (EventStream next = streaming(one, person)) {
          return next.status() == 200;
        }
      });
      first.close();
    } finally {
      model.says(Model.delta("Hi"), Model.STOP, Model.USAGE, Model.DONE);
    }
  }

  @Test
  @DisplayName("without Redis there is a limit still, and nobody is refused for its absence")
  void withoutRedis() {
    assumeThat(System.getenv("REDIS_URL"))
        .as("a Redis of our own, to be stopped")
        .isNull();
    Person person = Person.unknown();
    DevServices.shared().stopRedis();
    try {
      for (int i = 0; i < 4; i++) {
        assertThat(post(one, person).status()).isEqualTo(200);
      }
      assertLimited(post(one, person));
      assertThat(one.as(person).get("/metrics").text())
          .containsPattern("ask_limits_alone_total [1-9]")
          .contains("ask_redis_degraded 1");
    } finally {
      DevServices.shared().startRedis();
      Await.until("the nodes share a bucket again", LimitsIT::share);
    }
  }
}
