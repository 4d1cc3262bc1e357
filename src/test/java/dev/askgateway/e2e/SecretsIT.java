package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.Wait;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("Keys, questions, messages and answers stay where they belong")
class SecretsIT {
  private static Model model;
  private static Node node;
  private static Api api;
  private static List<String> ends;

  @BeforeAll
  static void askInAllWays() {
    model = new Model();
    node = Node.start(model.settings());
    api = Samples.withBooking(node);
    model.says(
        Model.delta("Casa Nopal " + Words.ANSWER + " [S1] [S9]."),
        Model.STOP,
        Model.USAGE,
        Model.DONE);
    api.stream(Api.question(Samples.QUESTION)).all();
    api.ask(Samples.QUESTION);
    model.does(ScriptedProvider.status(
        500, "", "no " + Words.API_KEY + " " + Words.QUESTION + " " + Words.MESSAGE));
    api.post(Api.ASK, Api.question(Samples.QUESTION));
    model.says("data: {\"" + Words.ANSWER + "\": not json " + Words.API_KEY + "\n\n");
    api.post(Api.ASK, Api.question(Samples.QUESTION));
    api.post(Api.ASK, "{\"question\": \"" + Words.QUESTION + "\", \"requestId\": 7}");
    edge(new JsonObject().put("model", "assistant_grounded").put("messages", said()));
    edge(new JsonObject().put("model", Words.QUESTION).put("messages", said()));
    edge(new JsonObject().put("model", "assistant_grounded").put("messages", Words.QUESTION));
    api.get("/v1/" + Words.QUESTION);
    api.get("/ai/" + Words.QUESTION + "?q=" + Words.MESSAGE);
    api.imports("{\"text\": \"" + Words.MESSAGE + "\"");
    api.imports(Samples.booking().put("at", Words.MESSAGE));
    ends = node.logs().lines().stream()
        .filter(line -> line.startsWith("request ended"))
        .toList();
  }

  private static JsonArray said() {
    return new JsonArray().add(new JsonObject().put("role", "user").put("content", Words.QUESTION));
  }

  /** The model still says what is no answer. */
  private static void edge(JsonObject body) {
    api.post("/v1/chat/completions", body);
    api.post("/v1/chat/completions", body.copy().put("stream", true));
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  @Test
  @DisplayName("no log line holds any of them, at the most talkative level of our own rooms")
  void logs() {
    LoggerFactory.getLogger("dev.askgateway.e2e").trace("heard");
    assertThat(node.logs().lines()).contains("heard");
    node.logs().isSilentOf(Words.SECRET);
    node.logs().isSilentOf(List.of(api.person().token()));
  }

  @Test
  @DisplayName("each request that was begun left one line at its end, with its id and what it used")
  void oneLineEach() {
    assertThat(ends).filteredOn(line -> line.contains(" kind=answer ")).hasSize(4);
    assertThat(ends).filteredOn(line -> line.contains(" kind=chat ")).hasSize(2);
    assertThat(ends)
        .doesNotHaveDuplicates()
        .allMatch(
            line -> line.matches("request ended request=[0-9a-f-]{36} kind=.* total_ms=\\d+"));
    assertThat(ends)
        .filteredOn(line -> line.contains(" state=completed "))
        .hasSize(2)
        .allMatch(line -> line.contains(" profile=assistant_grounded ")
            && line.contains(" result=first_model provider=openai model=scripted-1 calls=1 route=")
            && line.contains(" windows=1 sources=1 input_tokens=120 ")
            && line.contains(" micro_usd=180 first_status_ms="));
  }

  @Test
  @DisplayName("no metric holds any of them, nor who the person is")
  void metrics() {
    String metrics = api.get("/metrics").text();
    assertThat(metrics).contains("ask_answers_started_total");
    assertThat(metrics).doesNotContain(Words.SECRET).doesNotContain(api.person().id());
  }

  @Test
  @DisplayName("no Redis key holds any of them, nor who the person is")
  void redisKeys() {
    Redis redis = Redis.createClient(model.vertx(), DevServices.shared().redisUrl());
    List<String> keys = new ArrayList<>();
    for (Response key : Wait.on(redis.send(Request.cmd(Command.KEYS).arg("*")))) {
      keys.add(key.toString());
    }
    Wait.on(redis.close());
    assertThat(keys).isNotEmpty();
    assertThat(String.join("\n", keys))
        .doesNotContain(Words.SECRET)
        .doesNotContain(api.person().id());
  }

  @Test
  @DisplayName("a broken answer of the model is told in our own words")
  void errorBodies() {
    model.does(ScriptedProvider.status(
        400, "", "{\"error\":{\"message\":\"" + Words.API_KEY + " " + Words.MESSAGE + "\"}}"));
    try (Node fresh = Node.start(model.settings())) { // the other one lets the model rest by now
      Reply reply = fresh.as(api.person()).post(Api.ASK, Api.question(Samples.QUESTION));
      assertThat(reply.status()).isEqualTo(502);
      assertThat(reply.text()).doesNotContain(Words.API_KEY, Words.MESSAGE);
    }
  }
}
