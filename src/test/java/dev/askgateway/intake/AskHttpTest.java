package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.answer.AskCommand;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.Door.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AskHttpTest {
  private static final String ASK = "/ai/assistant/messages";
  private static final String ID = "6a3d5a39-53a4-4a39-8a3e-1fbb8fb0f8e1";
  private static Door door;

  @BeforeAll
  static void open() {
    door = new Door();
    door.config = Door.config(1024 * 1024, List.of("https://app.test", "null", "app://-"));
    door.open();
  }

  @AfterAll
  static void close() {
    door.close();
  }

  @BeforeEach
  void reset() {
    door.answers.newThread = true;
    door.answers.failure = null;
    door.answers.attached.clear();
  }

  private static JsonObject plain() {
    return new JsonObject().put("question", "When?");
  }

  private static JsonObject sdk() {
    return new JsonObject()
        .put("id", "c/1 +")
        .put("trigger", "submit-message")
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject()
                    .put("id", "m1")
                    .put("role", "user")
                    .put(
                        "parts",
                        new JsonArray()
                            .add(new JsonObject().put("type", "text").put("text", "When?")))));
  }

  private static void assertStream(Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).startsWith("text/event-stream");
    assertThat(answer.header("x-vercel-ai-ui-message-stream")).isEqualTo("v1");
    assertThat(answer.text()).contains("Saturday it is.").endsWith("data: [DONE]\n\n");
  }

  @Test
  @DisplayName("a new thread's JSON answer is 201, a known one's 200, each with its request id")
  void jsonStatus() {
    Answer made = door.post(ASK, plain());
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.json().getBoolean("success")).isTrue();
    assertThat(made.data().getString("answer")).isEqualTo("Saturday it is.");
    assertThat(made.data().getString("requestId")).isEqualTo(made.header("x-request-id"));
    assertThat(made.header("cache-control")).isEqualTo("no-store");
    assertThat(made.header("x-content-type-options")).isEqualTo("nosniff");
    door.answers.newThread = false;
    assertThat(door.post(ASK, plain()).status()).isEqualTo(200);
    door.answers.newThread = true;
    assertThat(door.post("/ai/assistant/threads/" + ID + "/messages", plain()).status())
        .isEqualTo(200);
    assertThat(door.answers.last().target())
        .isEqualTo(new AskCommand.ExistingThread(UUID.fromString(ID)));
  }

  @Test
  @DisplayName("the wire form follows Accept, the body's wish and the body's kind")
  void forms() {
    assertThat(door.post(ASK, plain()).header("content-type")).startsWith("application/json");
    assertStream(door.post(ASK, sdk()));
    assertStream(door.post(ASK, sdk(), "Accept", "*/*"));
    assertStream(door.post(ASK, plain(), "Accept", "text/event-stream"));
    assertStream(door.post(ASK, plain().put("stream", true)));
    assertThat(door.post(ASK, sdk(), "Accept", "application/json").status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "image/*", "application/xml, text/html;q=0.9"})
  @DisplayName("who can read neither form is refused before anything is asked")
  void notAcceptable(String accept) {
    int before = door.answers.asked.size();
    for (String path : List.of(ASK, "/ai/search", "/ai/messages")) {
      Answer answer = door.post(path, plain().put("stream", true), "Accept", accept);
      assertThat(answer.status()).isEqualTo(406);
      assertThat(answer.code()).isEqualTo("not_acceptable");
    }
    assertThat(door.get("/ai/assistant/threads", "Accept", accept).status()).isEqualTo(406);
    assertThat(door.get("/ai/assistant/requests/" + ID + "/stream", "Accept", "application/json")
            .status())
        .isEqualTo(406);
    assertThat(door.answers.asked).hasSize(before);
  }

  @Test
  @DisplayName("an answer that broke off is an error that still holds what there was of it")
  void brokenAnswer() {
    door.answers.failure =
        new AnswerEvent.Failure(GatewayError.Code.PROVIDER_TRUNCATED, "The answer was cut short.");
    Answer json = door.post(ASK, plain());
    assertThat(json.status()).isEqualTo(502);
    assertThat(json.code()).isEqualTo("provider_truncated");
    assertThat(json.json().getBoolean("retryable")).isTrue();
    assertThat(json.data().getString("answer")).isEqualTo("Saturday it is.");
    Answer events = door.post(ASK, plain(), "Accept", "text/event-stream");
    assertThat(events.status()).isEqualTo(200);
    assertThat(events.text()).contains("provider_truncated").endsWith("data: [DONE]\n\n");
  }

  @Test
  @DisplayName("a search goes nowhere and is scoped like a question")
  void search() {
    Answer answer = door.post(
        "/ai/search",
        new JsonObject().put("query", "When?").put("chatIds", new JsonArray().add(ID)));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(door.answers.last().target()).isEqualTo(new AskCommand.Search());
    assertThat(door.answers.last().scope().chatIds()).containsExactly(UUID.fromString(ID));
    assertStream(
        door.post("/ai/search", new JsonObject().put("query", "When?").put("stream", true)));
  }

  @Test
  @DisplayName("the idempotency header names the request")
  void idempotencyHeader() {
    door.post(ASK, plain(), "Idempotency-Key", "a key: 1.5");
    UUID first = door.answers.last().requestId();
    door.post(ASK, plain(), "Idempotency-Key", "a key: 1.5");
    assertThat(door.answers.last().requestId()).isEqualTo(first);
    door.post(ASK, plain(), "Idempotency-Key", ID);
    assertThat(door.answers.last().requestId()).isEqualTo(UUID.fromString(ID));
  }

  @Test
  @DisplayName("a long history is read, up to the limit")
  void longHistory() {
    JsonObject body = sdk();
    JsonObject filler =
        body.getJsonArray("messages").getJsonObject(0).copy().put("role", "assistant");
    filler.getJsonArray("parts").getJsonObject(0).put("text", "x".repeat(5000));
    JsonArray messages = new JsonArray();
    for (int i = 0; i < 150; i++) {
      messages.add(filler);
    }
    body.put("messages", messages.add(body.getJsonArray("messages").getJsonObject(0)));
    assertThat(body.encode().length()).isGreaterThan(700_000);
    assertStream(door.post(ASK, body));
    assertThat(door.answers.last().question()).isEqualTo("When?");
  }

  @Test
  @DisplayName("a request is followed from its first event; one that is unknown is nothing")
  void follow() {
    UUID known = UUID.randomUUID();
    door.answers.known.add(known);
    assertStream(door.get("/ai/assistant/requests/" + known + "/stream"));
    Answer unknown = door.get("/ai/assistant/requests/" + UUID.randomUUID() + "/stream");
    assertThat(unknown.status()).isEqualTo(204);
    assertThat(unknown.text()).isEmpty();
  }

  @Test
  @DisplayName("configured origins may call, others get no leave, none needs none")
  void cors() {
    for (String origin : List.of("https://app.test", "null", "app://-")) {
      Answer answer = door.post(ASK, plain(), "Origin", origin);
      assertThat(answer.header("access-control-allow-origin")).isEqualTo(origin);
      assertThat(answer.header("access-control-expose-headers")).contains("x-request-id");
      assertThat(answer.header("vary")).isEqualToIgnoringCase("origin");
      Answer preflight = preflight(origin);
      assertThat(preflight.status()).isEqualTo(204);
      assertThat(preflight.header("access-control-allow-origin")).isEqualTo(origin);
      assertThat(preflight.header("access-control-allow-headers"))
          .contains("authorization", "content-type", "idempotency-key", "traceparent");
      assertThat(preflight.header("access-control-allow-methods")).contains("POST", "DELETE");
      assertThat(preflight.header("access-control-allow-credentials")).isEmpty();
    }
    for (String origin : List.of("https://app.test.evil", "http://app.test", "https://APP.test")) {
      assertThat(door.post(ASK, plain(), "Origin", origin).header("access-control-allow-origin"))
          .isEmpty();
      assertThat(preflight(origin).header("access-control-allow-methods")).isEmpty();
    }
  }

  private static Answer preflight(String origin) {
    return door.send(door.request(ASK)
        .header("Origin", origin)
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "authorization,content-type")
        .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
  }

  @Test
  @DisplayName("a refusal can be read across origins too")
  void corsOfRefusals() {
    Answer refused = door.send(door.request(ASK)
        .header("Origin", "https://app.test")
        .POST(HttpRequest.BodyPublishers.ofString("{}")));
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.header("access-control-allow-origin")).isEqualTo("https://app.test");
  }

  @Test
  @DisplayName("the ingestion stream comes to its handler unread, unchecked and with its person")
  void ingestion() {
    Answer answer = door.send(door.signed("/ai/messages")
        .header("Content-Type", "application/x-ndjson")
        .expectContinue(true)
        .POST(HttpRequest.BodyPublishers.ofString("{}\n".repeat(700_000))));
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  @DisplayName("a door that closes lets an open answer finish and takes no new question")
  void drains() throws Exception {
    Promise<Void> gate = Promise.promise();
    try (Door closing = new Door().open()) {
      closing.answers.gate = gate.future();
      HttpResponse<InputStream> answer = closing.http.send(
          closing
              .signed(ASK)
              .header("Content-Type", "application/json")
              .header("Accept", "text/event-stream")
              .POST(HttpRequest.BodyPublishers.ofString(plain().encode()))
              .build(),
          HttpResponse.BodyHandlers.ofInputStream());
      Future<Void> drained = closing.drain();
      gate.complete();
      String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).contains("Saturday it is.").endsWith("data: [DONE]\n\n");
      Door.await(drained);
      int port = closing.port();
      assertThatThrownBy(() -> new Socket("127.0.0.1", port)).isInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("a body that never ends is given up in time")
  void slowBody() throws IOException {
    try (Door patient = new Door()) {
      patient.config = new IntakeConfig(
          "127.0.0.1",
          0,
          1,
          64 * 1024,
          Duration.ofMillis(200),
          8 * 1024,
          4 * 1024,
          Duration.ofSeconds(30),
          Duration.ZERO,
          Duration.ofSeconds(2),
          Duration.ofMinutes(2),
          List.of());
      patient.open();
      String answer = patient.raw(
          "POST " + ASK + " HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
              + "authorization: Bearer " + Tokens.hs256(Door.PERSON)
              + "\r\ncontent-length: 50\r\n\r\n{\"question\":",
          "}");
      assertThat(answer).startsWith("HTTP/1.1 400").contains("did not arrive in time");
      assertThat(patient.answers.asked).isEmpty();
    }
  }
}
