package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Money that was there before accounts had months")
class AccountsMigrationIT {
  private static final int REQUESTS = 200;
  private static final List<String> PERSONS = List.of("limited", "poor", "free", "idle");

  private static final String ACCOUNTS =
      "SELECT user_id, allowance_micro_usd, held_micro_usd, spent_micro_usd FROM budget_accounts ORDER BY 1";
  private static final String HOLDS =
      "SELECT user_id, request_id, amount_micro_usd, settled_micro_usd, state, price_book_version"
          + " FROM budget_holds ORDER BY 1, 2";
  private static final String USAGE = "SELECT user_id, sum(CASE WHEN billing_source = 'byok' THEN 0"
      + " ELSE provider_cost_micro_usd + failed_cost_micro_usd END)"
      + " FROM ai_usage_events GROUP BY 1 ORDER BY 1";

  private record Open(String person, UUID request, int hold) {}

  private final List<Open> stillOpen = new ArrayList<>();
  private Connection owner;
  private List<String> accounts;
  private List<String> holds;
  private List<String> sums;
  private List<String> ends;

  @BeforeEach
  void migrate() throws SQLException {
    String url = DevServices.shared().freshDatabase("accounts");
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    Flyway.configure()
        .dataSource(address.jdbc(), address.user(), address.password())
        .defaultSchema("ask")
        .createSchemas(true)
        .locations("classpath:sql")
        .placeholders(Map.of("gatewayRole", "ask_gateway", "schema", "ask"))
        .target("10")
        .load()
        .migrate();
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    try (Statement statement = owner.createStatement()) {
      statement.execute("SET search_path = ask, public");
      statement.execute("INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES"
          + " ('limited', 1000000), ('poor', 3000), ('free', NULL), ('idle', 500)");
    }
    ask(new Random(11));
    accounts = rows(ACCOUNTS);
    holds = rows(HOLDS);
    sums = rows("SELECT user_id, sum(CASE WHEN state = 'pending' THEN amount_micro_usd ELSE 0 END),"
        + " sum(settled_micro_usd) FROM budget_holds GROUP BY 1 ORDER BY 1");
    ends = rows(USAGE);

    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
  }

  @AfterEach
  void stop() throws SQLException {
    owner.close();
  }

  /** Requests of all kinds: most are ended, above, at and below their hold, some for nothing. */
  private void ask(Random random) throws SQLException {
    for (int i = 0; i < REQUESTS; i++) {
      String person = PERSONS.get(random.nextInt(3));
      Open one = new Open(person, new UUID(random.nextLong(), i), 10 * random.nextInt(12));
      try {
        value(
            "SELECT begin_turn(?, ?, '\\x00', 'completion', NULL, NULL, NULL, '{}', '', 'm', 'node', 60000,"
                + " ?, 'book', 0)",
            one.person(),
            one.request(),
            (long) one.hold());
      } catch (SQLException refused) {
        assertThat(refused.getSQLState()).as(person).isEqualTo("AG402");
        continue;
      }
      if (random.nextInt(4) == 0) {
        stillOpen.add(one);
      } else {
        value(
            "SELECT finish_turn(?, ?, 'node', ?::jsonb)",
            one.person(),
            one.request(),
            end(random.nextInt(150), random.nextInt(3) == 0 ? 0 : null, random.nextInt(5)));
      }
    }
  }

  private static String end(int cost, @Nullable Integer billable, int failed) {
    JsonObject end = new JsonObject()
        .put("status", "completed")
        .put("provider", "p")
        .put("model", "m")
        .put("billingSource", failed == 4 ? "byok" : "managed_allowance")
        .put("finishReason", "stop")
        .put(
            "usage",
            new JsonObject(
                "{\"inputTokens\":1,\"cacheReadTokens\":0,\"cacheWriteTokens\":0,\"outputTokens\":1,"
                    + "\"reasoningTokens\":0,\"estimated\":false}"))
        .put("costMicroUsd", cost)
        .put("billableMicroUsd", billable == null && failed != 4 ? cost : 0)
        .put("failedAttempts", failed)
        .put("failedCostMicroUsd", 7 * failed)
        .put("latencyMs", 1);
    return end.encode();
  }

  private String value(String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = owner.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return found.getString(1);
      }
    }
  }

  /** The rows of a query, each as one text. */
  private List<String> rows(String sql) throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet found = statement.executeQuery("SELECT q::text FROM (" + sql + ") q")) {
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(found.getString(1));
      }
      return rows;
    }
  }

  /** Accounts for which the ledger says anything else than they do. */
  private List<String> apart() throws SQLException {
    return rows("""
        SELECT a.user_id, a.allowance_micro_usd, a.held_micro_usd, a.spent_micro_usd, l.*
          FROM budget_accounts a
          LEFT JOIN (SELECT user_id AS u, sum(allowance) AS allowance, sum(postpaid) AS postpaid, sum(held) AS held,
                            sum(revenue) AS revenue, sum(credits) AS credits, sum(overage) AS overage
                       FROM ledger_transfers GROUP BY 1) l ON l.u = a.user_id
         WHERE l.held IS DISTINCT FROM a.held_micro_usd OR l.revenue IS DISTINCT FROM a.spent_micro_usd
            OR l.credits <> 0 OR l.overage <> 0
            OR l.allowance <> coalesce(a.allowance_micro_usd - a.held_micro_usd - a.spent_micro_usd, 0)
            OR l.postpaid <> CASE WHEN a.allowance_micro_usd IS NULL
                                  THEN - a.held_micro_usd - a.spent_micro_usd ELSE 0 END""");
  }

  @Test
  @DisplayName("accounts, holds and usage say after it what they said before")
  void same() throws SQLException {
    assertThat(accounts).hasSize(4).noneMatch(row -> row.contains("free,,0,0"));
    assertThat(holds)
        .anyMatch(row -> row.contains("pending"))
        .anyMatch(row -> row.contains("posted"))
        .anyMatch(row -> row.contains("voided"));
    assertThat(rows(ACCOUNTS)).isEqualTo(accounts);
    assertThat(rows(HOLDS)).isEqualTo(holds);
    assertThat(rows(USAGE)).isEqualTo(ends);
    assertThat(rows(
            "SELECT user_id, sum(CASE WHEN hold_state = 'pending' THEN hold_micro_usd ELSE 0 END),"
                + " sum(settled_micro_usd) FROM answer_requests GROUP BY 1 ORDER BY 1"))
        .isEqualTo(sums);
    assertThat(rows("SELECT user_id FROM budget_accounts a WHERE open_holds <> (SELECT count(*)"
            + " FROM budget_holds h WHERE h.user_id = a.user_id AND state = 'pending')"))
        .isEmpty();
  }

  @Test
  @DisplayName(
      "the ledger adds up to the accounts and to what providers are owed, then and at every end after it")
  void ledger() throws SQLException {
    assertThat(apart()).isEmpty();
    assertThat(rows("SELECT user_id, sum(provider) FROM ledger_transfers WHERE user_id <> 'idle'"
            + " GROUP BY 1 ORDER BY 1"))
        .isEqualTo(ends);

    assertThat(stillOpen).hasSizeGreaterThan(10);
    for (Open one : stillOpen) {
      String ended = value(
          "SELECT finish_turn(?, ?, 'node', ?::jsonb)",
          one.person(),
          one.request(),
          end(one.hold() / 2, null, 0));
      assertThat(new JsonObject(ended).getBoolean("finished")).isTrue();
    }
    assertThat(apart()).isEmpty();
    assertThat(rows(
            "SELECT user_id FROM budget_accounts WHERE held_micro_usd <> 0 OR open_holds <> 0"))
        .isEmpty();
  }
}
