package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request that is refused leaves nothing behind")
class BadInputIT {
  private static final String QUESTION = "Which restaurant?";

  private static Node node;
  private static Api api;
  private static Api other;
  private long before;

  @BeforeAll
  static void start() {
    node = Node.start(Map.of("ASK_HTTP_MAX_BODY_BYTES", "64KiB"));
    api = Samples.withBooking(node);
    other = Samples.withBooking(node);
    other.ask(Samples.QUESTION);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void count() {
    before = Data.traces();
  }

  @AfterEach
  void nothingLeft() {
    assertThat(Data.traces()).isEqualTo(before);
  }

  private static void refused(JsonObject body, String refusal) {
    refused(body.encode(), refusal);
  }

  private static void refused(String body, String refusal) {
    Reply document = api.post(Api.ASK, body);
    assertThat(document.refusal()).as(body).isEqualTo(refusal);
    assertThat(document.json().getBoolean("success")).isFalse();
    assertThat(document.json().getString("error")).isNotBlank();
    // Whoever wants a stream gets the same refusal: its head was not out yet.
    Reply stream = Api.send(api.request(Api.ASK)
        .header("Content-Type", "application/json")
        .header("Accept", "text/event-stream")
        .POST(BodyPublishers.ofString(body)));
    assertThat(stream.refusal()).isEqualTo(refusal);
    assertThat(stream.header("content-type")).startsWith("application/json");
  }

  @ParameterizedTest(name = "body <{0}>")
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "\"question\"",
        "{\"question\":7}",
        "{\"question\":null}",
        "{\"question\":\"\"}",
        "{\"question\":\"  \\n \"}",
        "{\"question\":\"a\",\"question2\":",
        "{\"question\":\"a\",\"requestId\":\"not-a-uuid\"}",
        "{\"question\":\"a\",\"timezone\":\"IST\"}",
        "{\"question\":\"a\",\"at\":\"yesterday\"}",
        "{\"question\":\"a\",\"scope\":\"global\"}",
        "{\"question\":\"a\",\"scope\":{\"type\":\"everything\"}}",
        "{\"question\":\"a\",\"scope\":{\"type\":\"strict_chat\"}}",
        "{\"question\":\"\\u0000\"}",
        "{\"messages\":[]}",
        "{\"messages\":[{\"role\":\"assistant\",\"parts\":[]}]}",
      })
  @DisplayName("what is no question is 400 invalid_request")
  void malformed(String body) {
    refused(body, "400 invalid_request");
  }

  @Test
  @DisplayName("a question of 2,001 characters is 400")
  void tooLong() {
    refused(Api.question("é".repeat(2001)), "400 invalid_request");
  }

  @Test
  @DisplayName("six chats are 400")
  void tooManyChats() {
    JsonArray chats = new JsonArray();
    for (int i = 0; i < 6; i++) {
      chats.add(UUID.randomUUID().toString());
    }
    refused(Api.question(QUESTION).put("chatIds", chats), "400 invalid_request");
    refused(
        Api.question(QUESTION)
            .put("scope", new JsonObject().put("type", "preferred").put("chatIds", chats)),
        "400 invalid_request");
  }

  @Test
  @DisplayName("a thread or chat of somebody else is 404, like one that never was")
  void foreign() {
    String thread = other.get("/ai/assistant/threads").list().getJsonObject(0).getString("id");
    String chat = other.chat("Ana Morales");
    String nobodys = UUID.randomUUID().toString();
    for (String id : new String[] {thread, nobodys}) {
      refused(Api.question(QUESTION).put("threadId", id), "404 not_found");
    }
    for (String id : new String[] {chat, nobodys}) {
      refused(Api.question(QUESTION).put("chatIds", new JsonArray().add(id)), "404 not_found");
      JsonObject strict = new JsonObject().put("type", "strict_chat").put("chatId", id);
      refused(Api.question(QUESTION).put("scope", strict), "404 not_found");
    }
  }

  @Test
  @DisplayName("an expired token is 401")
  void expired() {
    Reply reply = Api.send(ask()
        .setHeader("Authorization", "Bearer " + api.person().expiredToken())
        .POST(BodyPublishers.ofString(Api.question(QUESTION).encode())));
    assertThat(reply.refusal()).isEqualTo("401 unauthenticated");
  }

  @ParameterizedTest(name = "{0}: {1} is {2}")
  @CsvSource({
    "Accept, text/html, 406 not_acceptable",
    "Accept, image/png;q=0.9, 406 not_acceptable",
    "Content-Type, text/plain, 415 unsupported_media_type",
    "Content-Type, application/x-www-form-urlencoded, 415 unsupported_media_type",
  })
  @DisplayName("a type that is not spoken here is refused by name")
  void types(String header, String value, String refusal) {
    Reply reply = Api.send(ask()
        .setHeader(header, value)
        .POST(BodyPublishers.ofString(Api.question(QUESTION).encode())));
    assertThat(reply.refusal()).isEqualTo(refusal);
  }

  @Test
  @DisplayName("a body over the limit is 413")
  void tooLarge() {
    refused(Api.question(QUESTION).put("ignored", "x".repeat(70_000)), "413 payload_too_large");
  }

  private static HttpRequest.Builder ask() {
    return api.request(Api.ASK).header("Content-Type", "application/json");
  }
}
