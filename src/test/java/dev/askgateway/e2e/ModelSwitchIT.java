package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("While models are switched off")
class ModelSwitchIT {
  private static final String CHAT = "/v1/chat/completions";

  private static JsonObject completion() {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put(
            "messages",
            new JsonArray().add(new JsonObject().put("role", "user").put("content", "Hi")));
  }

  private static void await(Node node, String state) {
    Await.until("models are " + state, () -> state.equals(Operated.ready(node, "models")));
  }

  @Test
  @DisplayName(
      "every node answers by quoting what search finds, says so, calls no model and refuses at the edge")
  void off() {
    try (Model model = new Model()) {
      model.says(
          Model.delta("Casa Nopal " + Words.ANSWER + " [S1]."),
          Model.STOP,
          Model.USAGE,
          Model.DONE);
      Operated all = Operated.with("switch", model.settings());
      try (Node one = all.start();
          Node two = all.start()) {
        Api api = Samples.withBooking(one);
        Api there = new Api(two.port(), api.person());
        assertThat(Operated.ready(one, "models")).isEqualTo("on");
        assertThat(Operated.metric(one, "ask_models_on")).isEqualTo(1);
        assertThat(api.ask(Samples.QUESTION).getString("answer")).contains(Words.ANSWER);
        int asked = model.requests();

        assertThat(all.run("switch", "models", "off", "--by", "ana", "--reason", "a bad answer"))
            .isZero();
        assertThat(all.run("switch", "models", "off")).as("it is off already").isEqualTo(1);
        await(one, "off");
        await(two, "off");

        for (Api each : new Api[] {api, there}) {
          Told told = each.stream(Api.question(Samples.QUESTION)).all();
          assertThat(told.text()).contains("Casa Nopal").doesNotContain(Words.ANSWER);
          assertThat(told.citations()).hasSize(1);
          assertThat(told.last("data-sources").getJsonObject("plan").getString("models"))
              .isEqualTo("off");
          assertThat(told.last("data-finish").getString("provider")).isEqualTo("extractive");
          Reply refused = each.post(CHAT, completion());
          assertThat(refused.status()).isEqualTo(503);
          assertThat(refused.json().getJsonObject("error").getString("code"))
              .isEqualTo("models_off");
        }
        assertThat(model.requests()).isEqualTo(asked);
        assertThat(Operated.metric(two, "ask_models_on")).isZero();
        assertThat(all.text("SELECT changed_by || ': ' || reason FROM ask.rollout_changes"))
            .isEqualTo("ana: a bad answer");

        assertThat(all.run("switch", "models", "on")).isZero();
        await(one, "on");
        await(two, "on");
        assertThat(there.ask(Samples.QUESTION).getString("answer")).contains(Words.ANSWER);
        assertThat(api.post(CHAT, completion()).status()).isEqualTo(200);
      }
    }
  }

  @Test
  @DisplayName("questions are searched by words, and messages wait for vectors that a server makes")
  void noVectors(@TempDir Path folder) throws IOException {
    Vertx vertx = Vertx.vertx();
    try (EmbeddingServer server = new EmbeddingServer(vertx, 1)) {
      Operated all = Operated.with("switch_vectors", server.settings(folder, EmbeddingServer.OLD));
      assertThat(all.run("switch", "models", "off")).isZero();
      try (Node node = all.start()) {
        Api api = Samples.withBooking(node);
        assertThat(api.ask(Samples.QUESTION).getString("answer")).contains("Casa Nopal");
        Reply refused = api.post(
            "/v1/embeddings",
            new JsonObject().put("model", EmbeddingServer.OLD).put("input", "a fox"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.json().getJsonObject("error").getString("code")).isEqualTo("models_off");
        assertThat(server.calls()).isEmpty();

        assertThat(all.run("switch", "models", "on")).isZero();
        api.awaitIndex();
        assertThat(server.calls()).isNotEmpty();
      }
    } finally {
      Wait.on(vertx.close());
    }
  }

  @Test
  @DisplayName("a name that nobody answers to is still the question's fault")
  void unknownProfile() {
    Operated all = Operated.with("switch_unknown", Map.of());
    assertThat(all.run("switch", "models", "off")).isZero();
    try (Node node = all.start()) {
      Reply refused = node.as(Person.unknown())
          .post(Api.ASK, Api.question(Samples.QUESTION).put("profile", "nobody"));
      assertThat(refused.refusal()).isEqualTo("400 invalid_request");
    }
  }
}
