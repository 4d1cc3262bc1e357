package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One answer, as a stream and as a document")
class AnswerFormsIT {
  private static Model model;
  private static Node node;
  private static Api api;

  @BeforeAll
  static void start() {
    model = new Model();
    node = Node.start(model.settings());
    api = Samples.withBooking(node);
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  private static void cited() {
    model.says(
        Model.delta("She booked "),
        Model.delta("Casa Nopal " + Words.ANSWER + " [S1]."),
        Model.STOP,
        Model.USAGE,
        Model.DONE);
  }

  @Test
  @DisplayName("the parts come in the promised order, each source just before the text it supports")
  void order() {
    cited();
    Told told = api.stream(Api.question(Samples.QUESTION)).all();

    assertThat(told.types())
        .containsExactly(
            ": open",
            "start",
            "start-step",
            "data-thread",
            "data-status",
            "data-sources",
            "data-status",
            "text-start",
            "text-delta",
            "text-delta",
            "data-sources",
            "text-delta",
            "text-end",
            "data-status",
            "data-finish",
            "finish-step",
            "finish",
            "data: [DONE]");
    assertThat(phases(told)).containsExactly("retrieving", "answering", "saving");
    assertThat(citationCounts(told)).containsExactly(0, 1);
    assertThat(told.frames().get(told.frames().size() - 2).json().getString("finishReason"))
        .isEqualTo("stop");
  }

  private static List<String> phases(Told told) {
    return told.frames().stream()
        .filter(frame -> frame.type().equals("data-status"))
        .map(frame -> frame.data().getString("phase"))
        .toList();
  }

  private static List<Integer> citationCounts(Told told) {
    return told.frames().stream()
        .filter(frame -> frame.type().equals("data-sources"))
        .map(frame -> frame.data().getJsonArray("citations").size())
        .toList();
  }

  @Test
  @DisplayName("stream, document, replay and stored turn of one request hold the same facts")
  void sameFacts() {
    cited();
    int before = model.requests();
    JsonObject question = Api.question(Samples.QUESTION);
    Told told = api.stream(question).all();
    JsonObject document = api.post(Api.ASK, question).data();
    Told again = api.stream(question).all();
    JsonObject stored = api.stored(question.getString("requestId"));

    JsonObject finish = told.last("data-finish");
    assertThat(told.text()).isEqualTo("She booked Casa Nopal " + Words.ANSWER + " [S1].");
    assertThat(document.getString("answer")).isEqualTo(told.text());
    assertThat(stored.getJsonObject("turn").getString("content")).isEqualTo(told.text());
    JsonArray citations = told.citations();
    assertThat(citations.getJsonObject(0).getString("platformMessageId")).isEqualTo("ana-1");
    assertThat(document.getJsonArray("citations")).isEqualTo(citations);
    assertThat(stored.getJsonObject("turn").getJsonArray("citations")).isEqualTo(citations);
    assertThat(again.citations()).isEqualTo(citations);
    for (String fact : List.of("usage", "costMicroUsd", "finishReason", "provider", "model")) {
      assertThat(finish.getValue(fact)).as(fact).isNotNull();
      assertThat(document.getValue(fact)).as(fact).isEqualTo(finish.getValue(fact));
      assertThat(stored.getValue(fact)).as(fact).isEqualTo(finish.getValue(fact));
    }
    assertThat(finish.getLong("costMicroUsd")).isEqualTo(120 + 2 * 30);
    assertThat(document.getJsonObject("thread")).isEqualTo(finish.getJsonObject("thread"));
    assertThat(again.last("data-finish")).isEqualTo(finish);
    assertThat(again.last("data-thread")).isEqualTo(told.last("data-thread"));
    assertThat(document.getJsonObject("assistantTurn").getString("id"))
        .isEqualTo(told.frames().get(1).json().getString("messageId"));
    assertThat(document.getJsonObject("queryPlan"))
        .isEqualTo(told.last("data-sources").getJsonObject("plan"));
    assertThat(model.requests()).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("the stream's head lets no proxy hold it back")
  void head() {
    cited();
    JsonObject question = Api.question(Samples.QUESTION);
    EventStream stream = api.stream(question);

    assertThat(stream.status()).isEqualTo(200);
    assertThat(stream.header("content-type")).startsWith("text/event-stream");
    assertThat(stream.header("cache-control")).contains("no-cache").contains("no-transform");
    assertThat(stream.header("x-accel-buffering")).isEqualTo("no");
    assertThat(stream.header("x-vercel-ai-ui-message-stream")).isEqualTo("v1");
    assertThat(stream.header("x-request-id")).isEqualTo(question.getString("requestId"));
    assertThat(stream.all().raw()).endsWith("data: [DONE]\n\n");
  }

  @Test
  @DisplayName("progress is visible while the model has said nothing yet")
  void early() {
    model.saysAndWaits();
    JsonObject question = Api.question(Samples.QUESTION);
    try (EventStream stream = api.stream(question)) {
      Frame retrieving = stream.until(frame -> frame.type().equals("data-status"));
      assertThat(retrieving.data().getString("phase")).isEqualTo("retrieving");
      assertThat(api.cancel(question.getString("requestId")).status()).isIn(200, 202);
    }
  }

  @Test
  @DisplayName("without evidence no model is asked, and nothing is charged")
  void noEvidence() {
    int before = model.requests();
    Api nobody = node.as(Person.unknown());
    Told told = nobody.stream(Api.question("Who repaired the accordion?")).all();

    JsonObject finish = told.last("data-finish");
    assertThat(finish.getString("provider")).isEqualTo("deterministic");
    assertThat(finish.getLong("costMicroUsd")).isZero();
    assertThat(told.citations()).isEmpty();
    assertThat(told.text()).isNotBlank();
    assertThat(model.requests()).isEqualTo(before);
    assertThat(Data.spent(nobody.person())).isZero();
  }

  @Test
  @DisplayName("a search is one cited answer in either form, and the same request is told it again")
  void search() {
    cited();
    JsonObject query = new JsonObject().put("query", Samples.QUESTION);
    Reply document = api.post("/ai/search", query);
    JsonObject again = query.copy().put("requestId", UUID.randomUUID().toString());
    Told told =
        EventStream.post(node.port(), "/ai/search", api.person().token(), again).all();

    assertThat(document.data().getString("status")).isEqualTo("completed");
    assertThat(document.data().getString("answer"))
        .isEqualTo("She booked Casa Nopal " + Words.ANSWER + " [S1].");
    assertThat(document.data().getJsonArray("citations")).hasSize(1);
    assertThat(told.text()).isEqualTo(document.data().getString("answer"));
    assertThat(told.last("data-finish").getString("state")).isEqualTo("completed");
    assertThat(api.post("/ai/search", again).data().getString("answer")).isEqualTo(told.text());
  }
}
