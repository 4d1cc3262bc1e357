package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The plan of a question that tables cannot represent")
class PlannerIT {
  /** The booking answers it, and it is two questions. */
  private static final String COMPOUND = "Which restaurant did Ana book for the anniversary "
      + Words.QUESTION + "? And who did she tell about it?";

  private static final JsonObject PLAN = new JsonObject()
      .put("intent", "conversation_qa")
      .put(
          "timeRange",
          new JsonObject()
              .put("start", "2020-01-01T00:00")
              .put("end", "")
              .put("appliesTo", "messages"))
      .put(
          "people",
          new JsonArray()
              .add(new JsonObject().put("name", "Ana").put("descriptors", new JsonArray())))
      .put("scope", "everything");

  /** Costs 180 micro-USD, as a plan of that usage does. */
  private static final Consumer<Exchange> ANSWERS = ScriptedProvider.answer(
      Model.delta("Casa Nopal " + Words.ANSWER + " [S1]."), Model.STOP, Model.USAGE, Model.DONE);

  private static Model model;
  private static Node node;
  private Api api;
  private int before;

  @BeforeAll
  static void start() {
    model = new Model();
    node = startNode("true");
  }

  private static Node startNode(String enabled) {
    return Node.start(model.settings(
        "ASK_MODELS_OPENAI_DEFAULT_STRUCTURED_OUTPUT", "true",
        "ASK_RETRIEVAL_PLANNER_ENABLED", enabled,
        "ASK_RETRIEVAL_PLANNER_TIMEOUT", "500ms"));
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  @BeforeEach
  void somebody() {
    api = Samples.withBooking(node);
    api.awaitIndex(); // so that both legs find the booking
    before = model.planRequests().size();
  }

  private static Consumer<Exchange> proposes(String text) {
    return ScriptedProvider.answer(Model.delta(text), Model.STOP, Model.USAGE, Model.DONE);
  }

  private List<String> planned() {
    List<String> all = model.planRequests();
    return all.subList(before, all.size());
  }

  private long number(String select) {
    return Data.number(
        "SELECT " + select + " FROM ask.ai_usage_events u WHERE user_id = ?",
        api.person().id());
  }

  /** That all that is written of the person's money agrees, each call with its price. */
  private void booksAgree() {
    assertThat(Data.pendingHolds(api.person())).isZero();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.reconcile(interval '1 hour') WHERE person = ?",
            api.person().id()))
        .isZero();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.ai_usage_attempts WHERE user_id = ?"
                + " AND provider_cost_micro_usd <> input_tokens + 2 * output_tokens",
            api.person().id()))
        .isZero();
    assertThat(number("count(*) FILTER (WHERE failed_cost_micro_usd <> (SELECT"
            + " coalesce(sum(provider_cost_micro_usd), 0) FROM ask.ai_usage_attempts a"
            + " WHERE a.user_id = u.user_id AND a.request_id = u.request_id))"))
        .isZero();
  }

  private static long metric(String reason, String outcome) {
    String series = "ask_planner_total{outcome=\"" + outcome + "\",reason=\"" + reason + "\"} ";
    return node.as(Person.unknown())
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .findFirst()
        .orElse(0);
  }

  @Test
  @DisplayName("is asked for once, used, billed with the answer and kept with the turn")
  void used() {
    model.does(proposes(PLAN.encode()), ANSWERS);
    long counted = metric("compound", "used");
    JsonObject question = Api.question(COMPOUND);
    Told told = api.stream(question).all();

    assertThat(told.types()).containsSubsequence("start", "data-sources", "text-start");
    JsonObject plan = told.last("data-sources").getJsonObject("plan");
    assertThat(plan.getString("needsPlanner")).isEqualTo("compound");
    assertThat(plan.getString("planner")).isEqualTo("used");
    assertThat(plan.getJsonObject("timeRange").getString("start"))
        .isEqualTo("2020-01-01T00:00:00Z");
    assertThat(plan).doesNotContain(java.util.Map.entry("scope", "everything"));
    assertThat(told.text()).startsWith("Casa Nopal");

    assertThat(planned()).singleElement().asString().satisfies(body -> {
      JsonObject request = new JsonObject(body);
      assertThat(request.getInteger("max_tokens", request.getInteger("max_completion_tokens")))
          .isEqualTo(400);
      assertThat(body)
          .contains(Words.QUESTION)
          .doesNotContain(Words.MESSAGE, "Casa Nopal", api.chat("Ana Morales"));
    });
    assertThat(told.last("data-finish").getLong("costMicroUsd")).isEqualTo(360);
    assertThat(Data.spent(api.person())).isEqualTo(360);
    assertThat(Data.number(
            "SELECT input_tokens FROM ask.ai_usage_attempts WHERE user_id = ? AND purpose ="
                + " 'planner' AND output_tokens = 30 AND NOT estimated",
            api.person().id()))
        .isEqualTo(120);
    assertThat(number("failed_attempts")).isZero();
    booksAgree();
    assertThat(metric("compound", "used")).isEqualTo(counted + 1);

    JsonObject again = api.post(Api.ASK, question).data();
    assertThat(again.getString("answer")).isEqualTo(told.text());
    assertThat(again.getJsonObject("queryPlan")).isEqualTo(plan);
    assertThat(api.stored(question.getString("requestId")).getJsonObject("queryPlan"))
        .isEqualTo(plan);
    assertThat(planned()).hasSize(1);
  }

  private void goesOn(Consumer<Exchange> planning, String outcome, long planCost) {
    model.does(planning, ANSWERS);
    long counted = metric("compound", outcome);
    JsonObject answer = api.ask(COMPOUND);

    assertThat(answer.getString("answer")).startsWith("Casa Nopal");
    assertThat(answer.getJsonObject("queryPlan").getString("planner")).isEqualTo(outcome);
    assertThat(answer.getJsonObject("queryPlan").containsKey("timeRange")).isFalse();
    assertThat(planned()).hasSize(1);
    assertThat(metric("compound", outcome)).isEqualTo(counted + 1);
    assertThat(Data.spent(api.person())).isEqualTo(180 + planCost);
    assertThat(number("failed_cost_micro_usd")).isEqualTo(planCost);
    booksAgree();
  }

  @Test
  @DisplayName("is the tables' when the model refuses, which used nothing and costs nothing")
  void refused() {
    goesOn(ScriptedProvider.status(500, "", "{}"), "failed", 0);
  }

  @Test
  @DisplayName("is the tables' when the model answers nonsense, and what it used is charged")
  void nonsense() {
    goesOn(proposes("Certainly! Casa Nopal."), "invalid", 180);
  }

  @Test
  @DisplayName("is the tables' when the model's plan comes too late, and what it used is charged")
  void late() {
    String half = PLAN.encode().substring(0, 40);
    model.does(
        exchange -> {
          exchange.write(ScriptedProvider.HEAD);
          exchange.chunk(Model.delta(half));
        },
        ANSWERS);
    long start = System.nanoTime();
    JsonObject answer = api.ask(COMPOUND);

    assertThat((System.nanoTime() - start) / 1_000_000).isBetween(450L, 3_000L);
    assertThat(answer.getJsonObject("queryPlan").getString("planner")).isEqualTo("timeout");
    assertThat(planned()).hasSize(1);
    long used = number("failed_cost_micro_usd");
    assertThat(used).as("input and 10 tokens of output, by estimate").isGreaterThan(300);
    assertThat(Data.spent(api.person())).isEqualTo(180 + used);
    booksAgree();
  }

  @Test
  @DisplayName("is the tables' when the model is silent")
  void silent() {
    model.does(exchange -> {}, ANSWERS);
    JsonObject answer = api.ask(COMPOUND);

    assertThat(answer.getString("answer")).startsWith("Casa Nopal");
    assertThat(answer.getJsonObject("queryPlan").getString("planner")).isEqualTo("timeout");
    booksAgree();
  }

  @Test
  @DisplayName("is not asked for where tables suffice, and nothing is held for it")
  void simple() {
    model.does(proposes(PLAN.encode()), ANSWERS);
    JsonObject answer = api.ask(Samples.QUESTION);

    assertThat(planned()).isEmpty();
    assertThat(answer.getJsonObject("queryPlan").fieldNames())
        .doesNotContain("planner", "needsPlanner");
    long plain = held();
    api.ask(COMPOUND);
    // 3000 tokens in at 1 micro-USD, 400 out at 2
    assertThat(held()).isEqualTo(plain + 3_800);
  }

  /** What the newest request held. */
  private long held() {
    return Data.number(
        "SELECT hold_micro_usd FROM ask.answer_requests WHERE user_id = ?"
            + " ORDER BY created_at DESC LIMIT 1",
        api.person().id());
  }

  @Test
  @DisplayName("is part of what an account must be able to hold")
  void budget() {
    model.does(proposes(PLAN.encode()), ANSWERS);
    api.ask(Samples.QUESTION);
    long answer = held();
    Data.number(
        "WITH set AS (UPDATE ask.budget_accounts SET allowance_micro_usd = spent_micro_usd + ?"
            + " WHERE user_id = ? RETURNING 1) SELECT count(*) FROM set",
        answer,
        api.person().id());

    Reply refused = api.post(Api.ASK, Api.question(COMPOUND));

    assertThat(refused.refusal()).isEqualTo("402 budget_exhausted");
    assertThat(planned()).isEmpty();
    assertThat(api.post(Api.ASK, Api.question(Samples.QUESTION)).status()).isEqualTo(201);
  }

  @Test
  @DisplayName("is paid for when nothing is found, as it was asked for by then")
  void nothingFound() {
    model.does(proposes(PLAN.encode()), ANSWERS);
    JsonObject answer =
        api.ask("Which zeppelin did Quentin sell? And who did the zeppelin belong to?");

    assertThat(answer.getString("provider")).isEqualTo("deterministic");
    assertThat(answer.getLong("costMicroUsd")).isEqualTo(180);
    assertThat(number("failed_cost_micro_usd")).isEqualTo(180);
    booksAgree();
  }

  @Test
  @DisplayName("is the operator's cost when the answer fails without a text")
  void answerFails() {
    model.does(proposes(PLAN.encode()), ScriptedProvider.status(500, "", "{}"));
    Reply failed = api.post(Api.ASK, Api.question(COMPOUND));

    assertThat(failed.status()).as(failed.text()).isGreaterThanOrEqualTo(400);
    assertThat(planned()).hasSize(1);
    assertThat(Data.spent(api.person())).isZero();
    assertThat(number("failed_cost_micro_usd")).isEqualTo(180);
    booksAgree();
  }

  @Test
  @DisplayName("is stopped with its question, which searches nothing and asks no other model then")
  void stopped() {
    model.does(exchange -> exchange.write(ScriptedProvider.HEAD), ANSWERS);
    int asked = model.requests();
    JsonObject question = Api.question(COMPOUND);
    EventStream stream = api.stream(question);
    Await.until("the planner is asked", () -> planned().size() == 1);
    assertThat(api.cancel(question.getString("requestId")).status()).isIn(200, 202);
    Told told = stream.all();
    model.awaitHangUp();

    assertThat(told.last("data-finish").getString("state")).isEqualTo("cancelled");
    assertThat(told.types()).doesNotContain("data-sources");
    assertThat(model.requests()).isEqualTo(asked + 1);
    assertThat(Data.spent(api.person()))
        .isEqualTo(number("failed_cost_micro_usd"))
        .isPositive();
    booksAgree();
  }

  @Test
  @DisplayName("is never asked for while that is off, and the reason is kept all the same")
  void off() {
    model.does(proposes(PLAN.encode()), ANSWERS);
    try (Node off = startNode("false")) {
      JsonObject answer = off.as(api.person()).ask(COMPOUND);

      assertThat(planned()).isEmpty();
      assertThat(answer.getJsonObject("queryPlan").getString("needsPlanner")).isEqualTo("compound");
      assertThat(answer.getJsonObject("queryPlan").containsKey("planner")).isFalse();
      assertThat(Data.spent(api.person())).isEqualTo(180);
    }
  }
}
