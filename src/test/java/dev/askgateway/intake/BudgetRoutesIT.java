package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.intake.Door.Answer;
import dev.askgateway.store.Begin;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.Database;
import dev.askgateway.store.HoldCache;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A person's money over HTTP")
class BudgetRoutesIT {
  private static final BudgetPolicy POLICY = new BudgetPolicy(10_000L, 5_000L, 300L, 0);
  private static final UserId OTHER = new UserId("somebody-else");
  private static Door door;
  private static Door offering;
  private static String url;
  private static TurnRepository turns;

  private UserId me;

  @BeforeAll
  static void open() {
    url = DevServices.shared().freshDatabase("money");
    StoreConfig store = new StoreConfig(url, url, "ask", "ask_gateway", 4, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    door = door(false);
    offering = door(true);
    turns = new TurnRepository(new Database(door.vertx, store), POLICY, HoldCache.NONE);
  }

  private static Door door(boolean overageOffered) {
    Door made = new Door();
    made.database = url;
    made.policy = POLICY;
    made.overageOffered = overageOffered;
    return made.open();
  }

  @AfterAll
  static void close() {
    door.close();
    offering.close();
  }

  @BeforeEach
  void somebody() {
    me = new UserId("person-" + UUID.randomUUID());
  }

  private Answer get(String path) {
    return door.send(door.request(path)
        .header("Authorization", "Bearer " + Tokens.hs256(me.value()))
        .GET());
  }

  private Answer put(Door where, String body) {
    return where.send(where
        .request("/ai/budget")
        .header("Authorization", "Bearer " + Tokens.hs256(me.value()))
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString(body)));
  }

  private JsonObject allowance() {
    return get("/ai/allowance").data();
  }

  /** As the owner. */
  private static void run(String sql) {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement statement = owner.createStatement()) {
      statement.execute("SET search_path = ask, public");
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static UUID begin(UserId user, String target, long hold) {
    UUID request = UUID.randomUUID();
    Door.await(turns.begin(Begin.outside(
        user,
        request,
        Buffer.buffer("f"),
        target,
        "model",
        "node",
        Duration.ofMinutes(2),
        hold,
        "book@1")));
    return request;
  }

  private static JsonObject finish(
      UserId user, UUID request, String model, long cost, boolean own) {
    JsonObject end = new JsonObject()
        .put("status", "completed")
        .put("provider", own ? "openai-own" : "openai")
        .put("model", model)
        .put("billingSource", own ? "byok" : "managed_allowance")
        .put("finishReason", "stop")
        .put(
            "usage",
            new JsonObject(
                "{\"inputTokens\":10,\"cacheReadTokens\":20,\"cacheWriteTokens\":30,\"outputTokens\":40,"
                    + "\"reasoningTokens\":5,\"imageTokens\":3,\"estimated\":false}"))
        .put("costMicroUsd", cost)
        .put("billableMicroUsd", own ? 0 : cost)
        .put("latencyMs", 1);
    return Door.await(turns.finish(user, request, "node", end));
  }

  private static JsonObject tokens(int requests) {
    return new JsonObject()
        .put("inputTokens", 10 * requests)
        .put("cacheReadTokens", 20 * requests)
        .put("cacheWriteTokens", 30 * requests)
        .put("outputTokens", 40 * requests)
        .put("reasoningTokens", 5 * requests)
        .put("imageTokens", 3 * requests)
        .put("estimated", false)
        .put("requests", requests);
  }

  private static JsonObject sum(int requests, int billable, int own) {
    return tokens(requests).put("billableMicroUsd", billable).put("ownAccount", tokens(own));
  }

  @Test
  @DisplayName("who comes for the first time has what the gateway gives, all of it left")
  void first() {
    YearMonth month = YearMonth.now(ZoneOffset.UTC);

    assertThat(allowance())
        .isEqualTo(new JsonObject()
            .put("unlimited", false)
            .put(
                "allowance",
                new JsonObject()
                    .put("monthly", 10_000)
                    .put("spent", 0)
                    .put("held", 0)
                    .put("left", 10_000)
                    .put("month", month.toString())
                    .put("resetsAt", month.plusMonths(1) + "-01T00:00:00Z"))
            .put("credits", new JsonObject().put("left", 0).put("held", 0).putNull("nextExpiry"))
            .put(
                "overage",
                new JsonObject()
                    .put("offered", false)
                    .putNull("cap")
                    .put("spent", 0)
                    .put("held", 0))
            .put("requestCap", 5_000)
            .put(
                "dailyWarning",
                new JsonObject().put("threshold", 300).put("spentToday", 0).put("reached", false)));
  }

  @Test
  @DisplayName("what runs is held, what ended is spent, and the day's warning is reached by it")
  void heldAndSpent() {
    UUID one = begin(me, "completion", 1_000);
    begin(me, "completion", 500);
    finish(me, one, "m", 299, false);
    assertThat(allowance().getJsonObject("dailyWarning").getBoolean("reached")).isFalse();
    finish(me, begin(me, "completion", 100), "m", 1, false);

    JsonObject data = allowance();
    assertThat(data.getJsonObject("allowance").getInteger("spent")).isEqualTo(300);
    assertThat(data.getJsonObject("allowance").getInteger("held")).isEqualTo(500);
    assertThat(data.getJsonObject("allowance").getInteger("left")).isEqualTo(9_200);
    assertThat(data.getJsonObject("dailyWarning"))
        .isEqualTo(
            new JsonObject().put("threshold", 300).put("spentToday", 300).put("reached", true));
  }

  @Test
  @DisplayName("a month that is over is over when one looks, as are credits that have expired")
  void rolls() {
    allowance();
    run(
        "UPDATE budget_accounts SET month = month - interval '1 month', day = day - 40, spent_micro_usd = 4000,"
            + " day_spent_micro_usd = 4000, credits_micro_usd = 900, credits_expire_at = now() - interval '1 hour'"
            + " WHERE user_id = '" + me.value() + "'");
    run(
        "INSERT INTO credit_grants (user_id, source_key, amount_micro_usd, remaining_micro_usd, expires_at)"
            + " VALUES ('" + me.value() + "', 'old', 600, 600, now() - interval '1 hour'),"
            + " ('" + me.value() + "', 'new', 200, 200, '2099-01-01T00:00:00Z'),"
            + " ('" + me.value() + "', 'ever', 100, 100, NULL)");

    JsonObject data = allowance();

    assertThat(data.getJsonObject("allowance").getInteger("left")).isEqualTo(10_000);
    assertThat(data.getJsonObject("dailyWarning").getInteger("spentToday")).isZero();
    assertThat(data.getJsonObject("credits"))
        .isEqualTo(new JsonObject()
            .put("left", 300)
            .put("held", 0)
            .put(
                "nextExpiry",
                new JsonObject().put("at", "2099-01-01T00:00:00Z").put("amount", 200)));
  }

  @Test
  @DisplayName("an account without a limit says so")
  void unlimited() {
    run("INSERT INTO budget_accounts (user_id) VALUES ('" + me.value() + "')");
    JsonObject data = allowance();
    assertThat(data.getBoolean("unlimited")).isTrue();
    assertThat(data.getJsonObject("allowance").getValue("monthly")).isNull();
    assertThat(data.getJsonObject("allowance").getValue("left")).isNull();
  }

  @Test
  @DisplayName("usage adds up by feature and by model, with own accounts apart and without money")
  void usage() {
    finish(me, begin(me, "completion", 1_000), "big", 700, false);
    finish(me, begin(me, "completion", 1_000), "small", 20, false);
    finish(me, begin(me, "embedding", 1_000), "small", 30, false);
    finish(me, begin(me, "completion", 0), "big", 999, true);
    finish(OTHER, begin(OTHER, "completion", 1_000), "big", 500, false);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);

    JsonObject data = get("/ai/usage").data();

    assertThat(data.getString("from")).isEqualTo(today.withDayOfMonth(1).toString());
    assertThat(data.getString("to")).isEqualTo(today.toString());
    assertThat(data.getJsonObject("total")).isEqualTo(sum(3, 750, 1));
    assertThat(data.getJsonArray("byFeature"))
        .isEqualTo(new JsonArray()
            .add(sum(2, 720, 1).put("feature", "completion"))
            .add(sum(1, 30, 0).put("feature", "embedding")));
    assertThat(data.getJsonArray("byModel"))
        .isEqualTo(new JsonArray()
            .add(sum(1, 700, 0).put("provider", "openai").put("model", "big"))
            .add(sum(2, 50, 0).put("provider", "openai").put("model", "small"))
            .add(sum(0, 0, 1).put("provider", "openai-own").put("model", "big")));
  }

  @Test
  @DisplayName("days are those of UTC, both ends included")
  void days() {
    finish(me, begin(me, "completion", 1_000), "m", 7, false);
    String at = "UPDATE ai_usage_events SET created_at = '%s' WHERE user_id = '" + me.value() + "'";

    run(at.formatted("2026-03-31T23:59:59.999999Z"));
    assertThat(requests("?from=2026-03-31&to=2026-03-31")).isOne();
    assertThat(requests("?to=2026-03-31")).isOne();
    assertThat(requests("?from=2026-04-01&to=2026-04-30")).isZero();
    run(at.formatted("2026-04-01T00:00:00Z"));
    assertThat(requests("?from=2026-03-01&to=2026-03-31")).isZero();
    assertThat(requests("?from=2025-04-01&to=2026-04-01")).isOne();
  }

  private int requests(String query) {
    return get("/ai/usage" + query).data().getJsonObject("total").getInteger("requests");
  }

  @Test
  @DisplayName("days that are none, in the wrong order or too many are refused by name")
  void badDays() {
    assertThat(get("/ai/usage?from=2026-02-30").path()).isEqualTo("from");
    assertThat(get("/ai/usage?to=yesterday").path()).isEqualTo("to");
    assertThat(get("/ai/usage?from=2026-02-02&to=2026-02-01").path()).isEqualTo("from");
    Answer many = get("/ai/usage?from=2025-03-31&to=2026-04-01");
    assertThat(many.status()).isEqualTo(400);
    assertThat(many.path()).isEqualTo("from");
  }

  @Test
  @DisplayName("a payment in another currency stands in the statement as it was paid, and adds up")
  void payment() {
    run("SELECT top_up('" + me.value()
        + "', 'pay-1', 8554319, 11976047, 1000, 'INR', 83.5, 1.4, NULL)");
    run("SELECT note_operating('" + me.value()
        + "', 'indexing', 'v', 'p', 'm', 9, false, 3, 'b', 1)");

    JsonObject entry = get("/ai/statements?limit=1").json().getJsonArray("data").getJsonObject(0);

    assertThat(entry.getString("kind")).isEqualTo("top_up");
    assertThat(entry.getJsonObject("amounts"))
        .isEqualTo(new JsonObject()
            .put("credits", 8_554_319)
            .put("paid", -11_976_047)
            .put("fx", 3_421_728));
    assertThat(entry.getJsonObject("payment"))
        .isEqualTo(new JsonObject()
            .put("amount", "1000")
            .put("currency", "INR")
            .put("rate", "83.5")
            .put("markup", "1.4"));
  }

  @Test
  @DisplayName(
      "a statement has each movement once, the newest first, page by page, and no one else's")
  void statements() {
    List<UUID> requests = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      requests.add(begin(me, "completion", 100));
      finish(me, requests.get(i), "m", i, false);
    }
    begin(OTHER, "completion", 100);

    List<JsonObject> entries = new ArrayList<>();
    String cursor = "";
    do {
      JsonObject page = get("/ai/statements?limit=3" + cursor).json();
      page.getJsonArray("data").forEach(one -> entries.add((JsonObject) one));
      cursor = page.containsKey("nextCursor") ? "&cursor=" + page.getString("nextCursor") : null;
    } while (cursor != null);

    assertThat(entries)
        .extracting(entry -> entry.getString("kind") + " " + entry.getString("state"))
        .containsExactly(
            "settlement posted",
            "reservation pending",
            "settlement posted",
            "reservation pending",
            "release voided",
            "reservation pending",
            "monthly_grant posted");
    assertThat(entries).extracting(entry -> entry.getLong("id")).doesNotHaveDuplicates();
    JsonObject newest = entries.get(0);
    assertThat(newest.getJsonObject("amounts"))
        .isEqualTo(new JsonObject().put("allowance", 98).put("held", -100).put("revenue", 2));
    assertThat(newest.getJsonArray("requests"))
        .isEqualTo(new JsonArray().add(requests.get(2).toString()));
    assertThat(newest.getString("priceBook")).isEqualTo("book@1");
    assertThat(entries.get(6).getJsonArray("requests")).isEmpty();
    assertThat(entries.stream()
            .mapToLong(entry -> entry.getJsonObject("amounts").getLong("allowance", 0L))
            .sum())
        .isEqualTo(allowance().getJsonObject("allowance").getLong("left"));
    assertThat(get("/ai/statements").json().getJsonArray("data")).hasSize(7);
    for (String wrong : List.of("limit=0", "limit=201", "cursor=x")) {
      assertThat(get("/ai/statements?" + wrong).path()).isEqualTo(wrong.split("=", 2)[0]);
    }
  }

  @Test
  @DisplayName("a limit that is absent stays, one of null is the gateway's again")
  void limits() {
    assertThat(put(door, "{\"requestCapMicroUsd\": 70, \"dailyWarningMicroUsd\": 80}")
            .status())
        .isEqualTo(200);
    JsonObject after = put(door, "{\"requestCapMicroUsd\": null}").data();
    assertThat(after.getInteger("requestCap")).isEqualTo(5_000);
    assertThat(after.getJsonObject("dailyWarning").getInteger("threshold")).isEqualTo(80);
    assertThat(put(door, "{\"requestCapMicroUsd\": 6000}").data().getInteger("requestCap"))
        .as("above the gateway's it says nothing")
        .isEqualTo(5_000);
    assertThat(put(door, "{}").data()).isEqualTo(allowance());
  }

  @Test
  @DisplayName("a limit that is none, or of a name that is none, is refused and changes nothing")
  void badLimits() {
    JsonObject before = allowance();
    assertThat(put(door, "{\"requestCapMicroUsd\": -1}").path()).isEqualTo("/requestCapMicroUsd");
    assertThat(put(door, "{\"requestCapMicroUsd\": \"1\"}").status()).isEqualTo(400);
    assertThat(put(door, "{\"requestCapMicroUsd\": 0.5}").status()).isEqualTo(400);
    assertThat(put(door, "{\"requestCap\": 1}").status()).isEqualTo(400);
    assertThat(put(door, "{\"monthly\": 1}").status()).isEqualTo(400);
    assertThat(put(door, "").status()).isEqualTo(400);
    assertThat(allowance()).isEqualTo(before);
  }

  @Test
  @DisplayName("overage that is not offered is refused by name, and can be given up all the same")
  void overageNotOffered() {
    Answer refused = put(door, "{\"overageCapMicroUsd\": 1, \"requestCapMicroUsd\": 1}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.path()).isEqualTo("/overageCapMicroUsd");
    assertThat(allowance().getInteger("requestCap")).isEqualTo(5_000);
    put(offering, "{\"overageCapMicroUsd\": 500}");
    assertThat(put(door, "{\"overageCapMicroUsd\": null}").data().getJsonObject("overage"))
        .isEqualTo(new JsonObject()
            .put("offered", false)
            .putNull("cap")
            .put("spent", 0)
            .put("held", 0));
  }

  @Test
  @DisplayName("an overage cap below what is gone of the month lets nothing more through")
  void overageLowered() {
    run("INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES ('" + me.value()
        + "', 0)");
    assertThat(put(offering, "{\"overageCapMicroUsd\": 1000}")
            .data()
            .getJsonObject("overage")
            .getBoolean("offered"))
        .isTrue();
    finish(me, begin(me, "completion", 400), "m", 300, false);
    UUID running = begin(me, "completion", 200);

    JsonObject lowered = put(offering, "{\"overageCapMicroUsd\": 100}").data();

    assertThat(lowered.getJsonObject("overage"))
        .isEqualTo(new JsonObject()
            .put("offered", true)
            .put("cap", 100)
            .put("spent", 300)
            .put("held", 200));
    assertThat(turns
            .begin(Begin.outside(
                me,
                UUID.randomUUID(),
                Buffer.buffer("f"),
                "completion",
                "model",
                "node",
                Duration.ofMinutes(2),
                1,
                "book@1"))
            .map("begun")
            .otherwise("refused"))
        .satisfies(begun -> assertThat(Door.await(begun)).isEqualTo("refused"));
    finish(me, running, "m", 200, false);
    assertThat(allowance().getJsonObject("overage").getInteger("spent")).isEqualTo(500);
  }

  @Test
  @DisplayName("all of it is there while the assistant is off, and nothing of it without a token")
  void always() {
    run("INSERT INTO user_preferences (user_id, preferences) VALUES ('" + me.value()
        + "', '{\"ai_enabled\": false}')");
    for (String path : List.of("/ai/allowance", "/ai/usage", "/ai/statements")) {
      assertThat(get(path).status()).as(path).isEqualTo(200);
      assertThat(get(path).header("cache-control")).isEqualTo("no-store");
      assertThat(door.send(door.request(path).GET()).status()).as(path).isEqualTo(401);
    }
    assertThat(put(door, "{\"dailyWarningMicroUsd\": 5}").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("where only the edge is served they are there, checked as ever, and nothing else is")
  void edgeAlone() {
    try (Door alone = new Door()) {
      alone.database = url;
      alone.policy = POLICY;
      alone.questions = false;
      alone.open();
      assertThat(alone.get("/ai/allowance").data().getInteger("requestCap")).isEqualTo(5_000);
      assertThat(alone.get("/ai/usage?from=no").path()).isEqualTo("from");
      assertThat(alone.get("/ai/statements?limit=1").status()).isEqualTo(200);
      assertThat(put(alone, "{\"requestCapMicroUsd\": 9}").data().getInteger("requestCap"))
          .isEqualTo(9);
      assertThat(put(alone, "{\"requestCapMicroUsd\": -9}").path())
          .isEqualTo("/requestCapMicroUsd");
      assertThat(alone.send(alone.request("/ai/allowance").GET()).status()).isEqualTo(401);
      assertThat(alone.get("/ai/assistant/threads").status()).isEqualTo(404);
      assertThat(alone.get("/health/live").status()).isEqualTo(200);
      assertThat(alone.get("/ai/budget").status()).isEqualTo(405);
    }
  }
}
