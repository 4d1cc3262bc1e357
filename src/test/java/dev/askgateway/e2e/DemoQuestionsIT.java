package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.demo.SampleConversations;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The demo's own questions")
class DemoQuestionsIT {
  private static Node node;
  private static Api api;

  @BeforeAll
  static void start() {
    node = Node.start();
    api = node.as(Person.unknown());
    api.imports(SampleConversations.ndjson(Instant.now(), ZoneId.of("UTC")));
    api.awaitIndex();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** A question, the messages that answer it, and what must not be seen in the answer. */
  private record Golden(
      String question, List<String> answeredBy, List<String> notFrom, List<String> notText) {

    static Golden of(JsonObject json) {
      return new Golden(
          json.getString("question"),
          strings(json, "answeredBy"),
          strings(json, "notFrom"),
          strings(json, "notText"));
    }

    private static List<String> strings(JsonObject json, String field) {
      return json.getJsonArray(field, new JsonArray()).stream()
          .map(String.class::cast)
          .toList();
    }

    @Override
    public String toString() {
      return question;
    }
  }

  static Stream<Golden> questions() {
    return new JsonArray(SampleConversations.questions())
        .stream().map(JsonObject.class::cast).map(Golden::of);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("questions")
  @DisplayName("are answered from the messages that hold the answer, and from no withdrawn one")
  void answered(Golden golden) {
    JsonObject answer = api.ask(golden.question());

    List<String> cited = answer.getJsonArray("citations").stream()
        .map(citation -> ((JsonObject) citation).getString("platformMessageId"))
        .toList();
    golden.notFrom().forEach(withdrawn -> assertThat(cited).doesNotContain(withdrawn));
    golden.notText().forEach(text -> assertThat(answer.encode()).doesNotContain(text));
    if (!golden.answeredBy().isEmpty() && !ranksPeople(answer)) {
      assertThat(cited).containsAnyElementsOf(golden.answeredBy());
      assertThat(answer.getString("answer")).contains("[S1]");
    }
  }

  /** Who somebody's closest people are takes more than messages: only what must not be seen holds. */
  private static boolean ranksPeople(JsonObject answer) {
    return answer.getJsonObject("queryPlan").getString("intent").equals("people_ranking");
  }
}
