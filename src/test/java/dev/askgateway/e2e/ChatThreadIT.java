package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chat's own thread")
class ChatThreadIT {
  private static Node node;
  private Api api;
  private String ana;
  private String leo;

  @BeforeAll
  static void start() {
    node = Node.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void twoChats() {
    api = Samples.withBooking(node);
    api.imports(Samples.message("wa-leo", "Leo Park", "leo-1", "My ankle hurts, no climbing"));
    ana = api.chat("Ana Morales");
    leo = api.chat("Leo Park");
  }

  private JsonObject askIn(String chat, String question) {
    return api.post("/ai/assistant/conversations/" + chat + "/messages", Api.question(question))
        .data();
  }

  @Test
  @DisplayName("answers from that chat and from nothing else")
  void strict() {
    JsonObject there = askIn(ana, Samples.QUESTION);
    JsonObject elsewhere = askIn(leo, Samples.QUESTION);

    assertThat(there.getJsonArray("citations").getJsonObject(0).getString("chatId"))
        .isEqualTo(ana);
    assertThat(elsewhere.getString("provider")).isEqualTo("deterministic");
    assertThat(elsewhere.getJsonArray("citations")).isEmpty();
    assertThat(elsewhere.encode()).doesNotContain("Casa Nopal");
  }

  @Test
  @DisplayName("comes whole with each document, and grows")
  void whole() {
    JsonObject first = askIn(ana, Samples.QUESTION);
    JsonObject second = askIn(ana, "When was that? " + Samples.QUESTION);

    assertThat(first.getJsonArray("turns")).hasSize(2);
    assertThat(second.getJsonArray("turns")).hasSize(4);
    assertThat(second.getJsonObject("thread").getString("id"))
        .isEqualTo(first.getJsonObject("thread").getString("id"));
    assertThat(second.getJsonObject("thread").getString("chat_id")).isEqualTo(ana);
    JsonArray turns = second.getJsonArray("turns");
    assertThat(turns.getJsonObject(0).getString("content")).isEqualTo(Samples.QUESTION);
    assertThat(turns.getJsonObject(3).getString("content")).isEqualTo(second.getString("answer"));
  }

  @Test
  @DisplayName("is no global thread, and a global thread is no chat's")
  void apart() {
    String ofChat = askIn(ana, Samples.QUESTION).getJsonObject("thread").getString("id");
    String global = api.ask(Samples.QUESTION).getJsonObject("thread").getString("id");

    assertThat(api.get("/ai/assistant/threads").list().stream()
            .map(thread -> ((JsonObject) thread).getString("id")))
        .containsExactly(global);
    assertThat(api.get("/ai/assistant/threads/" + ofChat).refusal()).isEqualTo("404 not_found");
    assertThat(api.get("/ai/assistant/threads/" + global).status()).isEqualTo(200);
    assertThat(api.get("/ai/assistant/conversations/" + global).refusal())
        .isEqualTo("404 not_found");
    assertThat(api.get("/ai/assistant/conversations/" + ana)
            .data()
            .getJsonObject("thread")
            .getString("id"))
        .isEqualTo(ofChat);
  }

  @Test
  @DisplayName("is gone when it is deleted; the next question begins a new one")
  void deleted() {
    String before = askIn(ana, Samples.QUESTION).getJsonObject("thread").getString("id");

    assertThat(api.delete("/ai/assistant/conversations/" + ana).status()).isEqualTo(200);
    assertThat(api.get("/ai/assistant/conversations/" + ana).refusal()).isEqualTo("404 not_found");
    JsonObject after = askIn(ana, Samples.QUESTION);
    assertThat(after.getJsonObject("thread").getString("id")).isNotEqualTo(before);
    assertThat(after.getJsonArray("turns")).hasSize(2);
  }

  @Test
  @DisplayName("of somebody else is not there")
  void foreign() {
    Api other = Samples.withBooking(node);
    String path = "/ai/assistant/conversations/" + ana;
    assertThat(other.get(path).refusal()).isEqualTo("404 not_found");
    assertThat(other.post(path + "/messages", Api.question(Samples.QUESTION)).refusal())
        .isEqualTo("404 not_found");
  }
}
