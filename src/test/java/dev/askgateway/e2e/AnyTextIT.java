package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Text of any script")
class AnyTextIT {
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

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "מתי ארוחת הערב ב־restaurant עם Ana?",
        "متى عشاء restaurant Ana anniversary؟",
        "🎂👨‍👩‍👧 restaurant anniversary 🙂?",
        "restaurant anniversary a\tb\nc — “quotes” \\ / \" ' <script>",
        "क restaurant anniversary ﷽ e\u0301",
      })
  @DisplayName("comes back as it was asked")
  void question(String question) {
    assertThat(stored(Api.question(question).encode())).isEqualTo(question);
  }

  @Test
  @DisplayName("is repaired where no database could hold it")
  void broken() {
    assertThat(stored("{\"question\":\"restaurant \\u0000anniversary \\ud800?\"}"))
        .isEqualTo("restaurant anniversary \uFFFD?");
  }

  /** Asks with this body, and returns the question as the thread then holds it. */
  private static String stored(String body) {
    model.says(Model.delta("Casa Nopal"), Model.STOP, Model.USAGE, Model.DONE);
    JsonObject answer = api.post(Api.ASK, body).data();
    String thread = answer.getJsonObject("thread").getString("id");
    return api.get("/ai/assistant/threads/" + thread)
        .data()
        .getJsonArray("turns")
        .getJsonObject(0)
        .getString("content");
  }

  @Test
  @DisplayName("of the model comes out as it came in, but for what no database can hold")
  void answer() {
    model.says(
        Model.delta("קאזה 👩"),
        Model.delta("\u200d🍳 क\u0000 "),
        Model.delta("e\u0301 done"),
        Model.STOP,
        Model.USAGE,
        Model.DONE);
    JsonObject question = Api.question(Samples.QUESTION);
    Told told = api.stream(question).all();
    assertThat(told.text())
        .isEqualTo(
            api.stored(question.getString("requestId")).getJsonObject("turn").getString("content"))
        .startsWith("קאזה 👩\u200d🍳 क")
        .endsWith("e\u0301 done")
        .doesNotContain("\u0000");
  }
}
