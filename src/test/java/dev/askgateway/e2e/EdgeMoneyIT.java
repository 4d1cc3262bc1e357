package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A completion over the edge is held, settled once and never hangs")
class EdgeMoneyIT {
  private static final String CHAT = "/v1/chat/completions";

  private static Model model;
  private static Node node;

  @BeforeAll
  static void start() {
    model = new Model();
    node = Node.start(model.settings("ASK_ANSWER_SWEEP_INTERVAL", "100ms"));
  }

  @AfterAll
  static void stop() {
    node.close();
    model.close();
  }

  private static JsonObject asking(boolean stream) {
    return new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", stream)
        .put("max_tokens", 100)
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject().put("role", "user").put("content", Words.QUESTION)));
  }

  private static Reply post(Person person, JsonObject body, String key) {
    return Api.send(node.as(person)
        .request(CHAT)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .POST(java.net.http.HttpRequest.BodyPublishers.ofString(body.encode())));
  }

  private static void awaitClosed(Person person, long holds) {
    Await.until(
        "the holds are closed",
        () -> Data.number(
                "SELECT count(*) FROM ask.budget_holds WHERE user_id = ? AND state <> 'pending'",
                person.id())
            == holds);
    assertThat(held(person)).isZero();
  }

  private static long held(Person person) {
    return Data.number(
        "SELECT coalesce(sum(held_micro_usd), 0) FROM ask.budget_accounts WHERE user_id = ?",
        person.id());
  }

  private static long usageRows(Person person, String feature, String status) {
    return Data.number(
        "SELECT count(*) FROM ask.ai_usage_events WHERE user_id = ? AND feature = ? AND status = ?",
        person.id(),
        feature,
        status);
  }

  @Test
  @DisplayName("what the model reports is charged, and nothing is kept of what was said")
  void settles() {
    Person person = Person.unknown();
    model.says(Model.delta(Words.ANSWER), Model.STOP, Model.USAGE, Model.DONE);

    Reply reply = node.as(person).post(CHAT, asking(false));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().getJsonObject("usage").getInteger("prompt_tokens")).isEqualTo(120);
    awaitClosed(person, 1);
    // 120 tokens in at 1 micro-USD, 30 out at 2; never more than was held.
    long held =
        Data.number("SELECT amount_micro_usd FROM ask.budget_holds WHERE user_id = ?", person.id());
    assertThat(held).isGreaterThanOrEqualTo(200);
    assertThat(Data.spent(person)).isEqualTo(180);
    assertThat(usageRows(person, "completion", "settled")).isOne();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.ai_usage_events u JOIN ask.budget_holds h USING (user_id,"
                + " request_id) JOIN ask.price_books b ON b.version = u.price_book_version"
                + " AND b.version = h.price_book_version AND b.id = 'scripted' WHERE user_id = ?",
            person.id()))
        .isOne();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.conversation_assistant_turns WHERE user_id = ?", person.id()))
        .isZero();
  }

  @ParameterizedTest(name = "streamed: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("a completion that begins when the day's charges have reached the warning says so")
  void dayWarning(boolean stream) {
    Person person = Person.unknown();
    model.says(Model.delta("Hi"), Model.STOP, Model.USAGE, Model.DONE);
    String limits = new JsonObject().put("dailyWarningMicroUsd", 100).encode();
    assertThat(Api.send(node.as(person)
                .request("/ai/budget")
                .header("Content-Type", "application/json")
                .PUT(java.net.http.HttpRequest.BodyPublishers.ofString(limits)))
            .status())
        .isEqualTo(200);

    assertThat(node.as(person).post(CHAT, asking(stream)).header("x-budget-warning"))
        .isEmpty();
    awaitClosed(person, 1);
    Reply second = node.as(person).post(CHAT, asking(stream));

    assertThat(second.status()).isEqualTo(200);
    assertThat(second.header("x-budget-warning")).isEqualTo("daily");
  }

  @Test
  @DisplayName(
      "a key that comes again is no second call: the answer again, a conflict with another body")
  void idempotency() {
    Person person = Person.unknown();
    model.says(Model.delta("Hi"), Model.STOP, Model.USAGE, Model.DONE);
    int before = model.requests();

    for (String key : new String[] {UUID.randomUUID().toString(), "any key: 1"}) {
      Reply first = post(person, asking(false), key);
      assertThat(first.status()).isEqualTo(200);
      assertThat(post(person, asking(false), key).text()).isEqualTo(first.text());
      Reply conflict = post(person, asking(true).put("n", 1), key);
      assertThat(conflict.status()).isEqualTo(409);
      assertThat(conflict.json().getJsonObject("error").getString("code"))
          .isEqualTo("request_conflict");
      assertThat(conflict.header("x-should-retry")).isEqualTo("false");
    }

    assertThat(model.requests() - before).isEqualTo(2);
    assertThat(post(Person.unknown(), asking(false), "any key: 1").status()).isEqualTo(200);
    awaitClosed(person, 2);
  }

  @Test
  @DisplayName("whoever leaves stops the model and pays an estimate of what was written")
  void leaving() {
    Person person = Person.unknown();
    model.saysAndWaits(Model.delta("x".repeat(40)));

    try (EventStream stream = EventStream.post(node.port(), CHAT, person.token(), asking(true))) {
      assertThat(stream.next().raw()).contains("xxxx");
    }
    model.awaitHangUp();

    awaitClosed(person, 1);
    long input = (Words.QUESTION.length() + 3) / 4;
    assertThat(Data.spent(person)).isEqualTo(input + 2 * 10);
    assertThat(Data.number(
            "SELECT count(*) FROM ask.answer_requests WHERE user_id = ? AND status = 'cancelled'",
            person.id()))
        .isOne();
  }

  @Test
  @DisplayName("a model that fails before a word costs the person nothing")
  void failure() {
    Person person = Person.unknown();
    model.does(ScriptedProvider.status(500, "", "{}"));

    Reply reply = node.as(person).post(CHAT, asking(false));

    assertThat(reply.status()).isEqualTo(502);
    awaitClosed(person, 1);
    assertThat(Data.spent(person)).isZero();
    assertThat(usageRows(person, "completion", "released")).isOne();
  }

  @Test
  @DisplayName("a call that was cut before a word is kept with its tokens and is the operator's")
  void cutBeforeAWord() {
    Person person = Person.unknown();
    AtomicInteger calls = new AtomicInteger();
    Consumer<Exchange> answers =
        ScriptedProvider.answer(Model.delta(Words.ANSWER), Model.STOP, Model.USAGE, Model.DONE);
    model.does(exchange -> {
      if (calls.getAndIncrement() == 0) {
        exchange.write(ScriptedProvider.HEAD).onComplete(written -> exchange.close());
      } else {
        answers.accept(exchange);
      }
    });

    assertThat(node.as(person).post(CHAT, asking(false)).status()).isEqualTo(200);

    awaitClosed(person, 1);
    assertThat(Data.spent(person)).isEqualTo(180);
    long input = (Words.QUESTION.length() + 3) / 4;
    assertThat(Data.number(
            "SELECT sum(input_tokens) FROM ask.ai_usage_attempts WHERE user_id = ? AND estimated"
                + " AND provider = 'openai' AND provider_cost_micro_usd = input_tokens",
            person.id()))
        .isEqualTo(input);
    assertThat(Data.number(
            "SELECT sum(failed_cost_micro_usd) FROM ask.ai_usage_events WHERE user_id = ?",
            person.id()))
        .isEqualTo(input);
    assertThat(Data.number(
            "SELECT sum(- absorbed) FROM ask.ledger_transfers WHERE user_id = ?", person.id()))
        .isEqualTo(input);
  }

  @Test
  @DisplayName("without the means nothing is asked")
  void broke() {
    Person person = Person.unknown();
    Data.number(
        "WITH poor AS (INSERT INTO ask.budget_accounts (user_id, allowance_micro_usd)"
            + " VALUES (?, 10) RETURNING 1) SELECT count(*) FROM poor",
        person.id());
    int before = model.requests();

    Reply reply = node.as(person).post(CHAT, asking(true));

    assertThat(reply.status()).isEqualTo(402);
    assertThat(reply.json().getJsonObject("error").getString("type"))
        .isEqualTo("insufficient_quota");
    assertThat(model.requests()).isEqualTo(before);
  }

  @Test
  @DisplayName("what a dead node left is released by the sweeper of a living one")
  void sweep() {
    Person person = Person.unknown();
    for (String kind : new String[] {"completion", "embedding"}) {
      Data.number(
          "SELECT (ask.begin_turn(?, ?, '\\x00', ?, NULL, NULL, NULL, '{}', '', 'm', 'dead', 1,"
              + " 500, 'book', 0) ->> 'begun')::boolean::integer",
          person.id(),
          UUID.randomUUID(),
          kind);
    }

    awaitClosed(person, 2);
    assertThat(Data.spent(person)).isZero();
    assertThat(usageRows(person, "completion", "released")).isOne();
    assertThat(usageRows(person, "embedding", "released")).isOne();
    assertThat(Data.number(
            "SELECT count(*) FROM ask.answer_requests WHERE user_id = ? AND status = 'failed'"
                + " AND outcome ->> 'errorCode' = 'interrupted'",
            person.id()))
        .isEqualTo(2);
  }
}
