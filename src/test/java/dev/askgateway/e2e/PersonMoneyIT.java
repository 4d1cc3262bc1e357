package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A person is told what their money allows")
class PersonMoneyIT {
  private static final String CHAT = "/v1/chat/completions";

  private static Model model;
  private static Node node;

  @BeforeAll
  static void start() {
    model = new Model();
    node = Node.start(model.settings());
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  private static JsonObject completion(boolean stream) {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", stream)
        .put("max_tokens", 100)
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject().put("role", "user").put("content", Words.QUESTION)));
  }

  private static void account(Person person, long allowance) {
    Data.number(
        "WITH made AS (INSERT INTO ask.budget_accounts (user_id, allowance_micro_usd)"
            + " VALUES (?, ?) RETURNING 1) SELECT count(*) FROM made",
        person.id(),
        allowance);
  }

  /** Another request of the person, which holds so much and runs. */
  private static void holds(Person person, long hold) {
    Data.number(
        "SELECT (ask.begin_turn(?, ?, '\\x00', 'completion', NULL, NULL, NULL, '{}', '', 'm', 'other',"
            + " 600000, ?, 'book', 0) ->> 'begun')::boolean::integer",
        person.id(),
        UUID.randomUUID(),
        hold);
  }

  private static Reply ask(Person person, String accept) {
    return Api.send(node.as(person)
        .request(Api.ASK)
        .header("Content-Type", "application/json")
        .header("Accept", accept)
        .POST(BodyPublishers.ofString(Api.question(Samples.QUESTION).encode())));
  }

  /** Each door and each form of an answer, and where the refusal's members are in its body. */
  private static List<Map.Entry<Reply, JsonObject>> refusals(Person person) {
    Reply events = ask(person, "text/event-stream");
    Reply document = ask(person, "application/json");
    Reply chunks = node.as(person).post(CHAT, completion(true));
    Reply whole = node.as(person).post(CHAT, completion(false));
    return List.of(
        Map.entry(events, events.json()),
        Map.entry(document, document.json()),
        Map.entry(chunks, chunks.json().getJsonObject("error")),
        Map.entry(whole, whole.json().getJsonObject("error")));
  }

  @Test
  @DisplayName("too little for any month: a plain 402 that waiting does not help, in every form")
  void tooCostly() {
    Person person = Person.unknown();
    account(person, 10);
    int before = model.requests();

    refusals(person).forEach(refused -> {
      assertThat(refused.getKey().status()).isEqualTo(402);
      assertThat(refused.getKey().header("content-type")).startsWith("application/json");
      assertThat(refused.getKey().header("retry-after")).isEmpty();
      JsonObject said = refused.getValue();
      assertThat(said.getString("code")).isEqualTo("budget_exhausted");
      assertThat(said.getString("reason")).isEqualTo("too_costly");
      assertThat(said.getBoolean("waitingHelps")).isFalse();
      assertThat(said.containsKey("until")).isFalse();
      assertThat(said.getBoolean("retryable", false)).isFalse();
    });
    assertThat(model.requests()).isEqualTo(before);
    assertThat(Data.pendingHolds(person)).isZero();
  }

  @Test
  @DisplayName("a month that is used up: a 402 that says from when on there is more")
  void monthUsedUp() {
    Person person = Person.unknown();
    account(person, 1_000_000);
    Data.number(
        "WITH spent AS (UPDATE ask.budget_accounts SET spent_micro_usd = 999990 WHERE user_id = ?"
            + " RETURNING 1) SELECT count(*) FROM spent",
        person.id());

    refusals(person).forEach(refused -> {
      assertThat(refused.getKey().status()).isEqualTo(402);
      assertThat(refused.getValue().getString("reason")).isEqualTo("monthly_allowance");
      assertThat(refused.getValue().getBoolean("waitingHelps")).isTrue();
      assertThat(refused.getValue().getString("until"))
          .isEqualTo(YearMonth.now(ZoneOffset.UTC).plusMonths(1) + "-01T00:00:00Z");
    });
  }

  @Test
  @DisplayName("money that another request holds: a 402 that can be tried again in a second")
  void inUse() {
    Person person = Person.unknown();
    account(person, 1_000_000);
    holds(person, 999_990);

    refusals(person).forEach(refused -> {
      assertThat(refused.getKey().status()).isEqualTo(402);
      assertThat(refused.getKey().header("retry-after")).isEqualTo("1");
      assertThat(refused.getValue().getString("reason")).isEqualTo("in_use");
      assertThat(refused.getValue().getBoolean("waitingHelps")).isTrue();
    });
    JsonObject document = ask(person, "application/json").json();
    assertThat(document.getBoolean("retryable")).isTrue();
    assertThat(document.getInteger("retryAfterMs")).isEqualTo(1_000);
  }

  @Test
  @DisplayName(
      "the answer that takes the day over the warning says so in every form, the others do not")
  void dailyWarning() {
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE); // 180
    Api api = Samples.withBooking(node);
    Reply set = Api.send(api.request("/ai/budget")
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString("{\"dailyWarningMicroUsd\": 200}")));
    assertThat(set.data().getJsonObject("dailyWarning").getInteger("threshold")).isEqualTo(200);

    assertThat(
            api.stream(Api.question(Samples.QUESTION)).all().last("data-finish").fieldNames())
        .contains("costMicroUsd")
        .doesNotContain("dailyWarning");
    JsonObject over = Api.question(Samples.QUESTION);
    assertThat(api.stream(over).all().last("data-finish").getBoolean("dailyWarning"))
        .isTrue();
    assertThat(api.post(Api.ASK, over).data().getBoolean("dailyWarning")).isTrue();
    assertThat(api.stored(over.getString("requestId")).getBoolean("dailyWarning"))
        .isTrue();
    assertThat(api.ask(Samples.QUESTION).fieldNames()).doesNotContain("dailyWarning");

    JsonObject warning = api.get("/ai/allowance").data().getJsonObject("dailyWarning");
    assertThat(warning.getInteger("spentToday")).isEqualTo(3 * 180);
    assertThat(warning.getBoolean("reached")).isTrue();
  }

  @Test
  @DisplayName("where only the edge is served, what it charged is there to see")
  void edgeAlone() {
    try (Node edge = Node.start(model.settings("ASK_SURFACES", "edge"))) {
      model.says(Model.delta("Hi"), Model.STOP, Model.USAGE, Model.DONE);
      Api api = edge.as(Person.unknown());
      assertThat(api.post(CHAT, completion(false)).status()).isEqualTo(200);
      Await.until("it is settled", () -> Data.spent(api.person()) == 180);

      assertThat(api.get("/ai/usage").data().getJsonObject("total").getInteger("billableMicroUsd"))
          .isEqualTo(180);
      assertThat(api.get("/ai/statements").list()).hasSize(2);
      assertThat(api.get("/ai/allowance").data().getBoolean("unlimited")).isTrue();
      assertThat(api.get("/ai/assistant/threads").status()).isEqualTo(404);
    }
    try (Node free =
        Node.start(model.settings("ASK_SURFACES", "edge", "ASK_EDGE_ACCOUNTING", "none"))) {
      assertThat(free.as(Person.unknown()).get("/ai/allowance").status()).isEqualTo(404);
    }
  }
}
