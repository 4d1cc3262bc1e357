package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("When the model fails")
class ModelFailsIT {
  private static Model model;
  private static Node node;
  private static Api api;

  @BeforeAll
  static void start() {
    model = new Model();
    node = startNode();
    api = Samples.withBooking(node);
  }

  private static Node startNode() {
    return Node.start(model.settings(
        "ASK_PROFILES_ASSISTANT_GROUNDED_FIRST_DELTA", "700ms",
        "ASK_PROFILES_ASSISTANT_GROUNDED_CONNECT", "500ms",
        "ASK_PROFILES_ASSISTANT_GROUNDED_HEADERS", "600ms"));
  }

  /** A node that knows nothing yet of how the model has been doing. */
  @BeforeEach
  void forget() {
    node.close();
    node = startNode();
    api = node.as(api.person());
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  /** Refuses, quoting key and question as real ones do. */
  private static void refuses(int status, String message) {
    String body = new JsonObject()
        .put(
            "error",
            new JsonObject()
                .put("message", message + " " + Words.API_KEY + " " + Words.QUESTION)
                .put("type", Words.QUESTION + " of " + Words.API_KEY))
        .encode();
    model.does(ScriptedProvider.status(status, "Content-Type: application/json\r\n", body));
  }

  @ParameterizedTest(name = "a model that answers {0} is {2} {3} to both kinds of client")
  @CsvSource({
    "500, it broke, 502, provider_failed",
    "401, wrong key, 502, provider_failed",
    "429, slow down, 503, no_provider",
    "400, maximum context length exceeded, 413, context_too_large",
  })
  void refusedBeforeText(int upstream, String message, int status, String code) {
    refuses(upstream, message);
    failsAlike(status, code);
  }

  @Test
  @DisplayName("a model that does not answer is 504 provider_timeout to both kinds of client")
  void silent() {
    model.does(exchange -> {});
    failsAlike(504, "provider_timeout");
  }

  private void failsAlike(int status, String code) {
    JsonObject question = Api.question(Samples.QUESTION);
    Reply document = api.post(Api.ASK, question);
    assertThat(document.refusal()).isEqualTo(status + " " + code);
    assertThat(document.json().getString("requestId")).isEqualTo(question.getString("requestId"));

    forget(); // else it may leave the model alone
    EventStream stream = api.stream(Api.question(Samples.QUESTION));
    assertThat(stream.status()).isEqualTo(200);
    Told told = stream.all();
    JsonObject error = told.last("data-error");
    assertThat(error.getString("code")).isEqualTo(code);
    assertThat(error.getBoolean("retryable")).isEqualTo(document.json().getBoolean("retryable"));
    assertThat(error.getString("message")).isEqualTo(document.json().getString("error"));
    assertThat(told.last("data-finish").getString("state")).isEqualTo("failed");
    assertThat(told.types())
        .doesNotContain("text-start", "finish")
        .endsWith("finish-step", "error", "data: [DONE]");

    assertThat(told.raw() + document.text()).doesNotContain(Words.API_KEY, Words.QUESTION + " of");
    assertThat(Data.pendingHolds(api.person())).isZero();
  }

  @Test
  @DisplayName("an answer cut after three pieces is kept as far as it came, and charged for that")
  void cut() {
    List<String> pieces = List.of("She booked ", "Casa Nopal " + Words.ANSWER, " [S1] for");
    model.does(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      pieces.forEach(piece -> exchange.chunk(Model.delta(piece)));
      model.vertx().setTimer(50, later -> exchange.close());
    });
    long spent = Data.spent(api.person());
    JsonObject question = Api.question(Samples.QUESTION);
    Told told = api.stream(question).all();

    assertThat(told.text()).isEqualTo(String.join("", pieces));
    assertThat(told.last("data-error").getString("code")).startsWith("provider_");
    JsonObject finish = told.last("data-finish");
    assertThat(finish.getString("state")).isEqualTo("failed");
    assertThat(finish.getBoolean("partial")).isTrue();
    assertThat(finish.getJsonObject("usage").getBoolean("estimated")).isTrue();
    assertThat(told.types()).containsSubsequence("text-end", "finish-step", "error");

    JsonObject stored = api.stored(question.getString("requestId"));
    assertThat(stored.getString("status")).isEqualTo("failed");
    assertThat(stored.getJsonObject("turn").getString("content")).isEqualTo(told.text());
    assertThat(stored.getJsonObject("turn").getJsonArray("citations")).hasSize(1);
    assertThat(Data.spent(api.person()) - spent)
        .isEqualTo(finish.getLong("costMicroUsd"))
        .isPositive();
    assertThat(Data.pendingHolds(api.person())).isZero();
  }

  @Test
  @DisplayName("a model that declines is an answer, not a failure")
  void contentFilter() {
    model.says(Model.finish("content_filter"), Model.USAGE, Model.DONE);
    Told told = api.stream(Api.question(Samples.QUESTION)).all();

    assertThat(told.last("data-finish").getString("finishReason")).isEqualTo("content-filter");
    assertThat(told.last("data-finish").getString("state")).isEqualTo("completed");
    assertThat(told.text()).isNotBlank();
    assertThat(told.types()).contains("finish").doesNotContain("data-error", "error");
  }

  @Test
  @DisplayName("usage that is not reported is estimated, never zero")
  void usageMissing() {
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.DONE);
    JsonObject answer = api.ask(Samples.QUESTION);

    JsonObject usage = answer.getJsonObject("usage");
    assertThat(usage.getBoolean("estimated")).isTrue();
    assertThat(usage.getLong("inputTokens")).isPositive();
    assertThat(usage.getLong("outputTokens")).isPositive();
    assertThat(answer.getLong("costMicroUsd")).isPositive();
  }

  @Test
  @DisplayName("the same request id replays the failure, a new one asks again")
  void retry() {
    refuses(500, "it broke");
    JsonObject question = Api.question(Samples.QUESTION);
    Reply failed = api.post(Api.ASK, question);
    int asked = model.requests();
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE);

    assertThat(api.post(Api.ASK, question).refusal()).isEqualTo(failed.refusal());
    assertThat(model.requests()).isEqualTo(asked);
    assertThat(api.ask(Samples.QUESTION).getString("answer")).isEqualTo("Casa Nopal [S1].");
  }
}
