package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What was imported is what is found")
class ImportThenAskIT {
  private static final String BY_MEANING = "What kind of dog does she have?";

  private static Node node;

  @BeforeAll
  static void start() {
    // Low enough for a question that shares no word with its answer.
    node = Node.start(Map.of("ASK_RETRIEVAL_COSINE_FLOORS", "e5-384=0.8"));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonObject again(JsonObject message) {
    return message.copy().put("editedAt", Instant.now().toString());
  }

  private static JsonObject greyhound() {
    return Samples.booking().put("text", "We adopted a greyhound and she sleeps on the sofa");
  }

  @Test
  @DisplayName("by its words at once, by its meaning once it is indexed")
  void found() {
    Api api = Samples.withBooking(node);
    assertThat(api.ask(Samples.QUESTION).getString("answer")).contains("Casa Nopal");

    api.imports(greyhound().put("messageId", "ana-2"));
    api.awaitIndex();
    JsonObject answer = api.ask(BY_MEANING);
    assertThat(answer.getString("answer")).contains("greyhound");
    assertThat(answer.getJsonObject("indexing").getString("status")).isEqualTo("ready");
  }

  @Test
  @DisplayName("by the new text after an edit, never by the old")
  void edited() {
    Api api = Samples.withBooking(node);
    api.awaitIndex();
    JsonObject counts = api.imports(again(greyhound()));
    assertThat(counts.getInteger("changed")).isEqualTo(1);

    JsonObject gone = api.ask(Samples.QUESTION);
    assertThat(gone.encode()).doesNotContain("Casa Nopal");
    api.awaitIndex();
    assertThat(api.ask(Samples.QUESTION).encode()).doesNotContain("Casa Nopal");
    assertThat(api.ask("Who adopted a greyhound?").getString("answer")).contains("greyhound");
    assertThat(api.ask(BY_MEANING).getString("answer")).contains("greyhound");
  }

  @Test
  @DisplayName("and never again once it is deleted")
  void deleted() {
    Api api = Samples.withBooking(node);
    api.awaitIndex();
    JsonObject removal = again(Samples.booking()).put("deleted", true);
    removal.remove("text");
    assertThat(api.imports(removal).getInteger("deleted")).isEqualTo(1);

    JsonObject answer = api.ask(Samples.QUESTION);
    assertThat(answer.getJsonArray("citations")).isEmpty();
    assertThat(answer.encode()).doesNotContain("Casa Nopal");
    assertThat(api.imports(Samples.booking()).getInteger("new")).isZero();
    assertThat(api.ask(Samples.QUESTION).encode()).doesNotContain("Casa Nopal");
  }

  @Test
  @DisplayName("by its own person only, whatever ids the platform gives")
  void othersMessages() {
    Api one = Samples.withBooking(node);
    Api two = node.as(Person.unknown());
    two.imports(Samples.booking().put("text", "I booked the restaurant Mar Azul, anniversary"));
    one.awaitIndex();
    two.awaitIndex();

    assertThat(one.ask(Samples.QUESTION).encode())
        .contains("Casa Nopal")
        .doesNotContain("Mar Azul");
    assertThat(two.ask(Samples.QUESTION).encode())
        .contains("Mar Azul")
        .doesNotContain("Casa Nopal");
    assertThat(node.as(Person.unknown()).ask(Samples.QUESTION).getJsonArray("citations"))
        .isEmpty();
  }
}
