package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.byok.OwnServers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Whoever brings a key is answered by their own provider, at their own cost")
class OwnKeysIT {
  private static final String CHAT = "/v1/chat/completions";
  private static final String TASK = "/ai/model-profiles/assistant_grounded";
  private static final String KEY = "sk-qzown-abcdefgh1234";

  /** What only a server like OpenAI can be told. */
  private static final JsonObject PREDICTION =
      new JsonObject().put("type", "content").put("content", "so");

  private static Model managed;
  private static OwnServer own;
  private static Node node;
  private int managedBefore;
  private int ownBefore;

  @BeforeAll
  static void start(@TempDir Path directory) {
    managed = new Model();
    own = new OwnServer(directory);
    node = Node.start(settings());
  }

  private static Map<String, String> settings() {
    return managed.settings(
        "ASK_BYOK_ENABLED", "true",
        "ASK_BYOK_KEYS", "k1=" + OwnServers.OLD_KEY,
        "ASK_BYOK_CURRENT_KEY", "k1",
        "ASK_BYOK_CUSTOM_BASE_URLS", "true",
        "ASK_BYOK_ALLOW_PRIVATE_ADDRESSES", "true");
  }

  @AfterAll
  static void stop() {
    node.close();
    own.close();
    managed.close();
  }

  @BeforeEach
  void count() {
    managed.says(Model.delta(Words.ANSWER + " of the house"), Model.STOP, Model.USAGE, Model.DONE);
    own.says(Words.ANSWER + " of one's own [S1]");
    managedBefore = managed.requests();
    ownBefore = own.requests().size();
  }

  private static String connected(Api api, String provider) {
    Reply made = api.post(
        "/ai/connections",
        new JsonObject()
            .put("providerType", provider)
            .put("baseUrl", own.baseUrl())
            .put("secret", KEY));
    assertThat(made.status()).isEqualTo(201);
    return made.data().getString("id");
  }

  private static Reply setTask(Api api, String connection) {
    JsonObject choice = new JsonObject().put("connectionId", connection).put("model", "own-1");
    return Api.send(api.request(TASK)
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString(choice.encode())));
  }

  /** Somebody with messages whose questions go to their own model. */
  private static Api withOwnModel() {
    Api api = Samples.withBooking(node);
    assertThat(setTask(api, connected(api, "openai")).status()).isEqualTo(200);
    return api;
  }

  private static JsonObject chat(String model) {
    return new JsonObject()
        .put("model", model)
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject().put("role", "user").put("content", Words.QUESTION)));
  }

  private void askedOwnAlone(int times) {
    assertThat(own.requests()).hasSize(ownBefore + times);
    assertThat(managed.requests()).isEqualTo(managedBefore);
    assertThat(own.newest().head().toLowerCase(Locale.ROOT))
        .contains("post /v1/chat/completions")
        .contains("authorization: bearer " + KEY.toLowerCase(Locale.ROOT));
    assertThat(new JsonObject(own.newest().body()).getString("model")).isEqualTo("own-1");
  }

  /** One row of that feature, on the person's own account, that held and cost nothing. */
  private static void awaitFree(Person person, String feature, String status) {
    Await.until(
        "the row of " + feature + " is there",
        () -> Data.number("""
            SELECT count(*) FROM ask.ai_usage_events u JOIN ask.budget_holds h USING (user_id, request_id)
             WHERE u.user_id = ? AND u.feature = ? AND u.provider = 'byok-openai' AND u.model = 'own-1'
               AND u.billing_source = 'byok' AND u.provider_cost_micro_usd = 0
               AND u.billable_cost_micro_usd = 0 AND u.failed_cost_micro_usd = 0
               AND u.input_tokens = CASE ? WHEN 'ok' THEN 120 ELSE u.input_tokens END
               AND h.amount_micro_usd = 0 AND h.state = 'voided'""", person.id(), feature, status) == 1);
    assertThat(Data.spent(person)).isZero();
    assertThat(
            Data.number("SELECT count(*) FROM ask.ledger_transfers WHERE user_id = ?", person.id()))
        .isZero();
  }

  @Test
  @DisplayName("a question goes to the model set for it, with its key, and costs no allowance")
  void question() {
    Api api = withOwnModel();

    JsonObject answer = api.ask(Samples.QUESTION);

    assertThat(answer.getString("answer")).contains("of one's own");
    assertThat(answer.getJsonArray("citations")).hasSize(1);
    askedOwnAlone(1);
    assertThat(own.newest().body()).contains("Casa Nopal");
    awaitFree(api.person(), "assistant", "ok");
  }

  @Test
  @DisplayName("a completion goes there too, by the profile's name and by the model's full name")
  void edge() {
    for (boolean byProfile : new boolean[] {true, false}) {
      count();
      Api api = node.as(Person.unknown());
      String connection = connected(api, "openai");
      if (byProfile) {
        setTask(api, connection);
      }
      String model = byProfile ? "assistant_grounded" : "own/" + connection + "/own-1";

      Reply reply = api.post(CHAT, chat(model).put("prediction", PREDICTION));

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text()).contains("of one's own");
      assertThat(reply.json().getString("model")).isEqualTo(model);
      askedOwnAlone(1);
      // Verbatim, as to any model that speaks the format of the request.
      assertThat(new JsonObject(own.newest().body()).getJsonObject("prediction"))
          .isEqualTo(PREDICTION);
      awaitFree(api.person(), "completion", "ok");
    }
  }

  @Test
  @DisplayName("while their provider is down they get no answer, and nobody else is asked")
  void down() {
    Api api = withOwnModel();
    own.does(ScriptedProvider.status(503, "", "{}"));

    Reply question = api.post(Api.ASK, Api.question(Samples.QUESTION));

    assertThat(question.refusal()).isEqualTo("502 provider_failed");
    askedOwnAlone(2); // once more, as it may have been a moment's trouble
    awaitFree(api.person(), "assistant", "failed");
    assertThat(api.post(CHAT, chat("assistant_grounded")).status()).isEqualTo(502);
    askedOwnAlone(4);
    awaitFree(api.person(), "completion", "failed");
  }

  @Test
  @DisplayName("an allowance that is used up stops the managed model and not their own")
  void exhausted() {
    Api api = Samples.withBooking(node);
    Data.number(
        "WITH poor AS (INSERT INTO ask.budget_accounts (user_id, allowance_micro_usd)"
            + " VALUES (?, 0) RETURNING 1) SELECT count(*) FROM poor",
        api.person().id());
    assertThat(api.post(Api.ASK, Api.question(Samples.QUESTION)).status()).isEqualTo(402);
    setTask(api, connected(api, "openai"));

    assertThat(api.ask(Samples.QUESTION).getString("answer")).contains("of one's own");
    assertThat(api.post(CHAT, chat("assistant_grounded")).status()).isEqualTo(200);

    askedOwnAlone(2);
    awaitFree(api.person(), "assistant", "ok");
    awaitFree(api.person(), "completion", "ok");
  }

  @Test
  @DisplayName("somebody else's connection is not there, and their key is not used")
  void somebodyElses() {
    Api ana = node.as(Person.unknown());
    String hers = connected(ana, "openai");
    setTask(ana, hers);
    Api ben = Samples.withBooking(node);
    JsonObject model = new JsonObject().put("model", "own-1");

    assertThat(ben.post(CHAT, chat("own/" + hers + "/own-1")).status()).isEqualTo(404);
    assertThat(setTask(ben, hers).refusal()).isEqualTo("404 not_found");
    assertThat(ben.post("/ai/connections/" + hers + "/test", model).refusal())
        .isEqualTo("404 not_found");
    assertThat(ben.delete("/ai/connections/" + hers).refusal()).isEqualTo("404 not_found");
    assertThat(ben.get("/ai/connections").list()).isEmpty();

    assertThat(ben.ask(Samples.QUESTION).getString("answer")).contains("of the house");
    assertThat(managed.requests()).isEqualTo(managedBefore + 1);
    assertThat(own.requests()).hasSize(ownBefore);
    Await.until(
        "the managed answer is on the allowance",
        () -> Data.number("""
        SELECT count(*) FROM ask.ai_usage_events WHERE user_id = ? AND provider = 'openai'
           AND billing_source = 'managed_allowance' AND billable_cost_micro_usd = 180""", ben.person().id()) == 1);
  }

  @Test
  @DisplayName("a revoked connection refuses its task, until the task is given back")
  void revoked() {
    Api api = Samples.withBooking(node);
    String connection = connected(api, "openai");
    setTask(api, connection);
    assertThat(api.delete("/ai/connections/" + connection).status()).isEqualTo(200);

    assertThat(api.post(Api.ASK, Api.question(Samples.QUESTION)).refusal())
        .isEqualTo("503 no_provider");
    assertThat(api.post(CHAT, chat("assistant_grounded")).status()).isEqualTo(503);
    assertThat(managed.requests()).isEqualTo(managedBefore);
    assertThat(Data.number(
            "SELECT count(*) FROM ask.budget_holds WHERE user_id = ?",
            api.person().id()))
        .isZero();

    assertThat(api.delete(TASK).status()).isEqualTo(200);
    assertThat(api.ask(Samples.QUESTION).getString("answer")).contains("of the house");
    assertThat(own.requests()).hasSize(ownBefore);
  }

  @Test
  @DisplayName("what their provider cannot be told is refused before it is called")
  void otherFormat() {
    Api api = node.as(Person.unknown());
    String connection = connected(api, "anthropic");

    Reply refused =
        api.post(CHAT, chat("own/" + connection + "/own-1").put("prediction", PREDICTION));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(own.requests()).hasSize(ownBefore);
  }

  @Test
  @DisplayName("metrics name their providers by vendor, nobody by anything else")
  void metrics() {
    Api api = withOwnModel();
    api.ask(Samples.QUESTION);

    String metrics = api.get("/metrics").text();

    assertThat(metrics).contains("provider=\"byok-openai\"").doesNotContain("own-1");
  }

  @Test
  @DisplayName("whoever says no name is not given to the model of one who is called anonymous")
  void anonymous() {
    Api called = node.as(new Person("anonymous"));
    assertThat(setTask(called, connected(called, "openai")).status()).isEqualTo(200);
    Map<String, String> open = settings();
    open.put("ASK_EDGE_AUTH", "none");
    open.put("ASK_EDGE_ACCOUNTING", "none");

    try (Node edge = Node.start(open)) {
      Reply reply = edge.as(Person.unknown()).post(CHAT, chat("assistant_grounded"));
      assertThat(reply.text()).contains("of the house");
    }

    assertThat(own.requests()).hasSize(ownBefore);
  }
}
