package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.askgateway.core.BudgetRefusal;
import dev.askgateway.core.BudgetRefusal.Reason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An account")
class AccountsIT {
  private static final String CHECK_VIOLATION = "23514";
  private static Vertx vertx;
  private static Database database;
  private static Connection owner;

  private final String person = "person-" + UUID.randomUUID();
  private final TurnRepository turns = turns(BudgetPolicy.NONE);

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("accounts");
    StoreConfig config = new StoreConfig(url, url, "ask", "ask_gateway", 4, Duration.ofSeconds(5));
    new Migrations(config).migrate();
    vertx = Vertx.vertx();
    database = new Database(vertx, config);
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    execute("SET search_path = ask, public");
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
    Wait.on(vertx.close());
  }

  /** Whatever a test did, what is in the account is what the ledger says of it. */
  @AfterEach
  void reconciled() throws SQLException {
    assertThat(strings("SELECT a.user_id FROM budget_accounts a JOIN (SELECT user_id,"
            + " sum(allowance) AS allowance, sum(credits) AS credits, sum(held) AS held"
            + " FROM ledger_transfers GROUP BY user_id) l USING (user_id)"
            + " WHERE l.allowance <> coalesce(allowance_micro_usd - held_micro_usd - spent_micro_usd, 0)"
            + " OR l.credits <> credits_micro_usd - credits_held_micro_usd"
            + " OR l.held <> held_micro_usd + credits_held_micro_usd + overage_held_micro_usd"
            + " + carried_micro_usd"))
        .as("accounts that are not what the ledger says")
        .isEmpty();
  }

  private static TurnRepository turns(BudgetPolicy policy) {
    return new TurnRepository(database, policy, HoldCache.NONE);
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> strings(String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = owner.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private String mine() {
    return " WHERE user_id = '" + person + "'";
  }

  private void opened(long allowance) throws SQLException {
    execute("INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES ('" + person + "', "
        + allowance + ")");
  }

  private void change(String columns) throws SQLException {
    execute("UPDATE budget_accounts SET " + columns + mine());
  }

  private long account(String column) throws SQLException {
    return Long.parseLong(
        strings("SELECT " + column + " FROM budget_accounts" + mine()).get(0));
  }

  private boolean grant(String key, long amount, String expiry) throws SQLException {
    return strings(
            "SELECT grant_credits('" + person + "', '" + key + "', " + amount + ", " + expiry + ")")
        .get(0)
        .equals("t");
  }

  private List<String> granted() throws SQLException {
    return strings("SELECT source_key || ' ' || remaining_micro_usd FROM credit_grants" + mine()
        + " ORDER BY id");
  }

  private UUID begin(TurnRepository by, long hold) {
    UUID request = UUID.randomUUID();
    JsonObject begun = Wait.on(by.begin(Begin.outside(
        new UserId(person),
        request,
        Buffer.buffer("f"),
        "completion",
        "model",
        "node",
        Duration.ofMinutes(2),
        hold,
        "book")));
    assertThat(begun.getBoolean("begun")).isTrue();
    return request;
  }

  private UUID begin(long hold) {
    return begin(turns, hold);
  }

  private GatewayError refused(TurnRepository by, long hold) {
    GatewayError refusal = catchThrowableOfType(GatewayError.class, () -> begin(by, hold));
    assertThat(refusal).as("a refusal of " + hold).isNotNull();
    return refusal;
  }

  private BudgetRefusal refused(long hold) {
    GatewayError refusal = refused(turns, hold);
    assertThat(refusal.code()).isEqualTo(GatewayError.Code.BUDGET_EXHAUSTED);
    return refusal.budget();
  }

  private void finish(TurnRepository by, UUID request, long cost) {
    JsonObject end = new JsonObject()
        .put("status", "completed")
        .put("provider", "p")
        .put("model", "m")
        .put("finishReason", "stop")
        .put(
            "usage",
            new JsonObject(
                "{\"inputTokens\":1,\"cacheReadTokens\":0,\"cacheWriteTokens\":0,\"outputTokens\":1,"
                    + "\"reasoningTokens\":0,\"estimated\":false}"))
        .put("costMicroUsd", cost)
        .put("billableMicroUsd", cost)
        .put("latencyMs", 1);
    assertThat(Wait.on(by.finish(new UserId(person), request, "node", end)).getBoolean("finished"))
        .isTrue();
  }

  private void finish(UUID request, long cost) {
    finish(turns, request, cost);
  }

  private static Instant nextMonth() throws SQLException {
    return Instant.parse(strings("SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC')"
            + " + interval '1 month', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
        .get(0));
  }

  @Test
  @DisplayName("begins each month with its whole allowance; what still runs is of the month before")
  void months() throws SQLException {
    opened(100);
    UUID old = begin(30);
    finish(begin(60), 50);
    change("month = (month - interval '1 month')::date");
    execute(
        "UPDATE answer_requests SET hold_month = (hold_month - interval '1 month')::date" + mine());

    UUID now = begin(100);
    assertThat(account("held_micro_usd")).isEqualTo(100);
    assertThat(account("spent_micro_usd")).isZero();
    assertThat(account("carried_micro_usd")).isEqualTo(30);
    assertThat(strings("SELECT kind || ' ' || allowance FROM ledger_transfers" + mine()
            + " AND kind IN ('monthly_grant', 'expiration') ORDER BY id"))
        .containsExactly("monthly_grant 100", "expiration -20", "monthly_grant 100");

    finish(old, 20);
    assertThat(account("carried_micro_usd")).isZero();
    assertThat(account("spent_micro_usd")).isZero();
    finish(now, 40);
    assertThat(account("spent_micro_usd")).isEqualTo(40);
    assertThat(account("open_holds")).isZero();
    assertThat(strings("SELECT sum(revenue) FROM ledger_transfers" + mine()))
        .containsExactly("110");
  }

  @Test
  @DisplayName("spends the allowance first, then the credits that expire soonest")
  void credits() throws SQLException {
    opened(10);
    grant("late", 50, "now() + interval '60 days'");
    grant("never", 50, "NULL");
    grant("soon", 50, "now() + interval '10 days'");

    UUID request = begin(70);
    assertThat(account("credits_held_micro_usd")).isEqualTo(60);
    finish(request, 70);
    assertThat(granted()).containsExactly("late 40", "never 50", "soon 0");
    assertThat(account("credits_micro_usd")).isEqualTo(90);
    assertThat(account("spent_micro_usd")).isEqualTo(10);

    finish(begin(90), 5);
    assertThat(granted()).containsExactly("late 35", "never 50", "soon 0");
    assertThat(account("credits_held_micro_usd")).isZero();
  }

  private void expire(String key) throws SQLException {
    execute("UPDATE credit_grants SET expires_at = now() - interval '1 second'" + mine()
        + " AND source_key = '" + key + "'");
    change("credits_expire_at = now() - interval '1 second'");
  }

  @Test
  @DisplayName("loses credits that expire, and the ledger says so")
  void expiry() throws SQLException {
    opened(0);
    grant("old", 40, "now() + interval '1 day'");
    grant("new", 50, "now() + interval '9 days'");
    expire("old");

    assertThat(refused(51).reason()).isEqualTo(Reason.TOO_COSTLY);
    finish(begin(50), 50);
    assertThat(granted()).containsExactly("old 0", "new 0");
    assertThat(strings("SELECT source_key || ' ' || credits FROM ledger_transfers" + mine()
            + " AND kind = 'expiration'"))
        .containsExactly("old -40");
  }

  @Test
  @DisplayName(
      "may still spend credits that expire while they are held, but not what is left of them")
  void expiryWhileHeld() throws SQLException {
    opened(0);
    grant("old", 40, "now() + interval '1 day'");
    UUID request = begin(40);
    expire("old");
    finish(request, 30);
    assertThat(refused(10).reason()).isEqualTo(Reason.TOO_COSTLY);
    grant("more", 5, "NULL");
    assertThat(account("credits_micro_usd")).isEqualTo(5);
    assertThat(granted()).containsExactly("old 0", "more 5");
  }

  @Test
  @DisplayName("goes beyond it all only up to the cap that its person agreed to")
  void overage() throws SQLException {
    opened(10);
    assertThat(refused(40).reason()).isEqualTo(Reason.TOO_COSTLY);
    change("overage_cap_micro_usd = 30, overage_bound_micro_usd = 30");

    UUID request = begin(40);
    assertThat(account("overage_held_micro_usd")).isEqualTo(30);
    finish(request, 35);
    assertThat(account("overage_spent_micro_usd")).isEqualTo(25);
    assertThat(strings("SELECT billing_source FROM ai_usage_events" + mine()))
        .containsExactly("managed_overage");
    assertThat(strings("SELECT sum(overage) FROM ledger_transfers" + mine()))
        .containsExactly("-25");
    assertThat(refused(6).reason()).isEqualTo(Reason.MONTHLY_ALLOWANCE);
    begin(5);
    assertThatThrownBy(() -> change("overage_spent_micro_usd = 26"))
        .isInstanceOfSatisfying(SQLException.class, refusal -> assertThat(refusal.getSQLState())
            .isEqualTo(CHECK_VIOLATION));
  }

  @Test
  @DisplayName("holds no request above the lower of its own cap and the policy's")
  void requestCap() throws SQLException {
    opened(1_000);
    TurnRepository capped = turns(new BudgetPolicy(null, 50L, null, 0));
    assertThat(refused(capped, 51).budget())
        .isEqualTo(new BudgetRefusal(Reason.REQUEST_CAP, false, null));
    begin(capped, 50);
    change("request_cap_micro_usd = 20");
    assertThat(refused(capped, 21).budget().reason()).isEqualTo(Reason.REQUEST_CAP);
    begin(capped, 20);
    change("request_cap_micro_usd = 90");
    assertThat(refused(capped, 51).budget().reason()).isEqualTo(Reason.REQUEST_CAP);
    begin(51);
  }

  @Test
  @DisplayName("says why it refuses, whether waiting helps, and until when")
  void reasons() throws SQLException {
    opened(100);
    UUID running = begin(80);
    assertThat(refused(21)).isEqualTo(new BudgetRefusal(Reason.IN_USE, true, null));
    assertThat(refused(101)).isEqualTo(new BudgetRefusal(Reason.TOO_COSTLY, false, null));
    finish(running, 80);
    assertThat(refused(21))
        .isEqualTo(new BudgetRefusal(Reason.MONTHLY_ALLOWANCE, true, nextMonth()));
  }

  @Test
  @DisplayName("has no more requests at a time than the policy says, and says to come again soon")
  void openHolds() throws SQLException {
    opened(100);
    TurnRepository two = turns(new BudgetPolicy(null, null, null, 2));
    UUID first = begin(two, 1);
    begin(two, 0);
    GatewayError refusal = refused(two, 1);
    assertThat(refusal.code()).isEqualTo(GatewayError.Code.RATE_LIMITED);
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    finish(two, first, 1);
    begin(two, 1);
  }

  @Test
  @DisplayName("is opened with the policy's allowance, and keeps it when the policy changes")
  void policy() throws SQLException {
    begin(turns(new BudgetPolicy(30L, null, null, 0)), 30);
    assertThat(refused(turns(new BudgetPolicy(90L, null, null, 0)), 1).budget().reason())
        .isEqualTo(Reason.IN_USE);
    assertThat(account("allowance_micro_usd")).isEqualTo(30);
  }

  @Test
  @DisplayName("warns once a day, with the request that reaches the mark")
  void dailyWarning() throws SQLException {
    opened(100);
    TurnRepository warning = turns(new BudgetPolicy(null, null, 10L, 0));
    for (int i = 0; i < 3; i++) {
      finish(warning, begin(warning, 6), 6);
    }
    assertThat(strings("SELECT outcome ->> 'dailyWarning' FROM answer_requests" + mine()
            + " ORDER BY finished_at"))
        .containsExactly(null, "true", null);
    change("day = day - 1");
    finish(warning, begin(warning, 10), 10);
    assertThat(strings("SELECT count(*) FROM answer_requests" + mine()
            + " AND outcome ->> 'dailyWarning' = 'true'"))
        .containsExactly("2");
  }

  @Test
  @DisplayName("is granted credits once for each source key, and never another amount for it")
  void grants() throws SQLException {
    assertThat(grant("payment-1", 50, "NULL")).isTrue();
    assertThat(grant("payment-1", 50, "NULL")).isFalse();
    assertThatThrownBy(() -> grant("payment-1", 51, "NULL"))
        .isInstanceOfSatisfying(
            SQLException.class, refusal -> assertThat(refusal.getSQLState()).isEqualTo("AG409"));
    assertThat(grant("payment-2", 50, "NULL")).isTrue();
    assertThat(account("credits_micro_usd")).isEqualTo(100);
    assertThat(strings("SELECT source_key FROM ledger_transfers" + mine()
            + " AND kind = 'top_up' ORDER BY id"))
        .containsExactly("payment-1", "payment-2");
  }

  @Test
  @DisplayName("has a ledger that takes nothing that is not balanced")
  void balanced() {
    for (String sides :
        List.of("allowance, held) VALUES (%s, -10, 9)", "provider, cost) VALUES (%s, 5, -4)")) {
      String row = sides.formatted("'" + person + "', 'adjustment', 'posted'");
      assertThatThrownBy(
              () -> execute("INSERT INTO ledger_transfers (user_id, kind, state, " + row))
          .isInstanceOfSatisfying(SQLException.class, refusal -> assertThat(refusal.getSQLState())
              .isEqualTo(CHECK_VIOLATION))
          .hasMessageContaining("balanced");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE ledger_transfers SET created_at = now()",
        "DELETE FROM ledger_transfers",
        "TRUNCATE ledger_transfers"
      })
  @DisplayName("has a ledger that not even its owner changes")
  void stays(String statement) throws SQLException {
    opened(1);
    assertThatThrownBy(() -> execute(statement))
        .isInstanceOfSatisfying(
            SQLException.class, refusal -> assertThat(refusal.getSQLState()).isEqualTo("AG410"));
    assertThat(strings("SELECT count(*) FROM ledger_transfers" + mine())).containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "held_micro_usd = 101",
        "held_micro_usd = -1",
        "credits_held_micro_usd = 1",
        "overage_held_micro_usd = 1",
        "open_holds = -1"
      })
  @DisplayName("has bounds that not even its owner gets around")
  void bounds(String change) throws SQLException {
    opened(100);
    assertThatThrownBy(() -> change(change))
        .isInstanceOfSatisfying(SQLException.class, refusal -> assertThat(refusal.getSQLState())
            .isEqualTo(CHECK_VIOLATION));
  }
}
