package dev.askgateway.cli;

import static dev.askgateway.store.CompletionCalls.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.RedisLink;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Begin;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.CompletionCalls;
import dev.askgateway.store.Database;
import dev.askgateway.store.HoldCache;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.ReconcileRepository;
import dev.askgateway.store.ReconcileRepository.Report;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("reconcile")
class ReconcileIT {
  private static final UUID SETTLED = new UUID(1, 1);
  private static final UUID RUNNING = new UUID(1, 2);
  private static final UUID BEGUN_ON_CREDIT = new UUID(1, 3);

  private static Vertx vertx;
  private static String url;
  private static Connection owner;
  private static TurnRepository turns;
  private static ReconcileRepository asOwner;
  private static ReconcileRepository asGateway;

  private record Ran(int code, List<String> lines) {}

  @BeforeAll
  static void start() throws SQLException {
    vertx = Vertx.vertx();
    url = DevServices.shared().freshDatabase("reconcile");
    StoreConfig config = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(config).migrate();
    Database database = new Database(vertx, config);
    turns = new TurnRepository(database, new BudgetPolicy(100_000L, null, 500L, 0), HoldCache.NONE);
    asGateway = new ReconcileRepository(database);
    asOwner = new ReconcileRepository(Database.ofOwner(vertx, config));
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    run("SET search_path = ask, public");
    run("INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES ('credit', 10)");
    run("SELECT grant_credits('credit', 'k', 100, now() + interval '1 day')");
    begin("plain", SETTLED, 50);
    finish("plain", SETTLED, end(30));
    begin("plain", RUNNING, 20);
    begin("credit", BEGUN_ON_CREDIT, 40);
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
    Wait.on(vertx.close());
  }

  private static void run(String statement) throws SQLException {
    try (Statement one = owner.createStatement()) {
      one.execute(statement);
    }
  }

  private static void begin(String person, UUID request, long hold) {
    Wait.on(turns.begin(CompletionCalls.begin(person, request, hold)));
  }

  private static void finish(String person, UUID request, JsonObject end) {
    Wait.on(turns.finish(new UserId(person), request, "node", end));
  }

  /** Ends of every sort: paid, above the hold, given up, failed attempts before, the person's own key. */
  private static JsonObject anyEnd(Random random) {
    JsonObject end = end(random.nextInt(60));
    return switch (random.nextInt(5)) {
      case 0 ->
        end.put("status", "failed").put("billableMicroUsd", 0).put("errorCode", "interrupted");
      case 1 ->
        end.put("failedAttempts", 1).put("failedCostMicroUsd", 7).put("attempts", attempts());
      case 2 -> end.put("billingSource", "byok").put("billableMicroUsd", 0);
      case 3 -> end.put("failedAttempts", 2).put("failedCostMicroUsd", 9);
      default -> end;
    };
  }

  private static JsonArray attempts() {
    return new JsonArray()
        .add(new JsonObject(
            "{\"provider\":\"p\",\"model\":\"m\",\"inputTokens\":1,\"cacheReadTokens\":0,"
                + "\"cacheWriteTokens\":0,\"outputTokens\":0,\"reasoningTokens\":0,\"estimated\":true,"
                + "\"costMicroUsd\":7}"));
  }

  private static Report report() {
    return Wait.on(asOwner.report(100, ReconcileRepository.LAPSED));
  }

  private static Ran cli(Map<String, String> more, String... arguments) {
    StringWriter out = new StringWriter();
    Map<String, String> environment = new HashMap<>(more);
    environment.put("DATABASE_URL", url);
    int code = Cli.run(
        arguments,
        environment,
        config -> Future.failedFuture("nothing is served"),
        (own, limits) -> {
          throw new AssertionError("no model is asked");
        },
        stop -> {},
        new PrintWriter(out, true),
        new PrintWriter(out, true));
    return new Ran(code, out.toString().lines().toList());
  }

  private static Set<String> kinds() throws SQLException {
    Set<String> kinds = new TreeSet<>();
    try (Statement look = owner.createStatement();
        ResultSet rows = look.executeQuery("SELECT kind FROM reconcile(interval '1 minute')")) {
      while (rows.next()) {
        kinds.add(rows.getString(1));
      }
    }
    return kinds;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "account_held, ledger_allowance | UPDATE budget_accounts SET held_micro_usd = held_micro_usd + 1 WHERE user_id = 'plain'",
        "account_spent, ledger_allowance | UPDATE budget_accounts SET spent_micro_usd = spent_micro_usd + 1 WHERE user_id = 'plain'",
        "account_carried | UPDATE budget_accounts SET carried_micro_usd = 1 WHERE user_id = 'plain'",
        "account_credits | UPDATE credit_grants SET remaining_micro_usd = 99",
        "account_credits_held, ledger_credits | UPDATE budget_accounts SET credits_held_micro_usd = 31 WHERE user_id = 'credit'",
        "account_credits, ledger_credits | UPDATE budget_accounts SET credits_micro_usd = 101 WHERE user_id = 'credit'",
        "account_overage_held | UPDATE budget_accounts SET overage_bound_micro_usd = 1, overage_held_micro_usd = 1 WHERE user_id = 'plain'",
        "account_overage_spent | UPDATE budget_accounts SET overage_bound_micro_usd = 1, overage_spent_micro_usd = 1 WHERE user_id = 'plain'",
        "account_open_holds | UPDATE budget_accounts SET open_holds = open_holds + 1 WHERE user_id = 'plain'",
        "account_held, account_open_holds, account_spent, ledger_allowance | UPDATE budget_accounts SET held_micro_usd = 0, spent_micro_usd = 0, open_holds = 0 WHERE user_id = 'plain'",
        "account_carried, account_held, account_spent | UPDATE answer_requests SET hold_month = '2020-01-01' WHERE user_id = 'plain'",
        "ledger_allowance | INSERT INTO ledger_transfers (user_id, kind, state, allowance, granted) VALUES ('plain', 'adjustment', 'posted', 1, -1)",
        "ledger_credits | INSERT INTO ledger_transfers (user_id, kind, state, credits, granted) VALUES ('plain', 'top_up', 'posted', 1, -1)",
        "ledger_overage | INSERT INTO ledger_transfers (user_id, kind, state, overage, granted) VALUES ('plain', 'adjustment', 'posted', 1, -1)",
        "ledger_held | INSERT INTO ledger_transfers (user_id, kind, state, held, granted) VALUES ('plain', 'adjustment', 'posted', 1, -1)",
        "ledger_revenue | INSERT INTO ledger_transfers (user_id, kind, state, revenue, granted) VALUES ('plain', 'adjustment', 'posted', 1, -1)",
        "ledger_cost, ledger_provider | INSERT INTO ledger_transfers (user_id, kind, state, provider, cost) VALUES ('plain', 'adjustment', 'posted', 1, -1)",
        "ledger_absorbed, ledger_cost | INSERT INTO ledger_transfers (user_id, kind, state, absorbed, cost) VALUES ('plain', 'adjustment', 'posted', 1, -1)",
        "request_reservations | INSERT INTO ledger_transfers (user_id, requests, kind, state) SELECT user_id, requests, kind, state FROM ledger_transfers WHERE kind = 'reservation' AND user_id = 'plain'",
        "request_ends | INSERT INTO ledger_transfers (user_id, requests, kind, state) SELECT user_id, requests, kind, state FROM ledger_transfers WHERE kind = 'settlement'",
        "request_ends | INSERT INTO ledger_transfers (user_id, requests, kind, state) SELECT user_id, requests, 'release', 'voided' FROM ledger_transfers WHERE kind = 'reservation' AND user_id = 'credit'",
        "request_rows | INSERT INTO ledger_transfers (user_id, requests, kind, state) VALUES ('plain', ARRAY[gen_random_uuid()], 'release', 'voided')",
        "ledger_allowance, ledger_cost, ledger_held, ledger_provider, ledger_revenue, request_ends | DELETE FROM ledger_transfers WHERE kind = 'settlement'",
        "ledger_allowance, ledger_held, request_reservations | DELETE FROM ledger_transfers WHERE kind = 'reservation' AND user_id = 'plain'",
        "ledger_cost, ledger_provider, ledger_revenue, request_usage_rows | DELETE FROM ai_usage_events",
        "ledger_absorbed, ledger_provider | UPDATE ai_usage_events SET failed_cost_micro_usd = 5",
        "ledger_absorbed, ledger_cost, ledger_revenue, request_billed | UPDATE ai_usage_events SET billable_cost_micro_usd = 29",
        "request_usage_rows | INSERT INTO ai_usage_events SELECT (jsonb_populate_record(u, '{\"request_id\": \"00000000-0000-0001-0000-000000000002\", \"provider_cost_micro_usd\": 0, \"billable_cost_micro_usd\": 0}')).* FROM ai_usage_events u",
        "account_held, account_open_holds, ledger_held, request_hold_pending | UPDATE answer_requests SET hold_state = 'voided' WHERE status = 'streaming' AND user_id = 'plain'",
        "account_held, account_open_holds, ledger_held, request_hold_pending | UPDATE answer_requests SET hold_state = 'pending' WHERE status = 'completed'",
        "account_spent, request_billed | UPDATE answer_requests SET settled_micro_usd = 29 WHERE status = 'completed'",
        "request_lapsed_seconds | UPDATE answer_requests SET lease_until = now() - interval '2 minutes' WHERE user_id = 'plain' AND status = 'streaming'"
      })
  @DisplayName("tells what differs, and nothing else")
  void planted(String expected, String statement) throws SQLException {
    assertThat(kinds()).isEmpty();
    owner.setAutoCommit(false);
    try {
      run("SET LOCAL session_replication_role = replica"); // past what keeps anybody from it
      run(statement);

      assertThat(kinds()).containsExactly(expected.split(", ", -1));
    } finally {
      owner.rollback();
      owner.setAutoCommit(true);
    }
  }

  @Test
  @DisplayName("as a command tells each difference without a name, and ends with 1")
  void command() throws SQLException {
    run("UPDATE budget_accounts SET open_holds = open_holds + 1 WHERE user_id = 'plain'");
    run(
        "UPDATE answer_requests SET lease_until = now() - interval '2 hours' WHERE user_id = 'plain'"
            + " AND status = 'streaming'");
    try {
      Ran ran = cli(Map.of(), "reconcile");
      Ran named = cli(Map.of(), "reconcile", "--persons", "--limit", "1");

      String digest = RedisLink.tag("plain");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.lines()).hasSize(4);
      assertThat(ran.lines().get(0))
          .isEqualTo("account_open_holds  request -  person " + digest + "  expected 1  found 2");
      assertThat(ran.lines().get(1))
          .matches("request_lapsed_seconds  request " + RUNNING + "  person " + digest
              + "  expected 0  found 720\\d");
      assertThat(ran.lines().get(3))
          .matches("Differences: 2; open holds: \\d+, of \\d+ requests and \\d+ accounts\\.");
      assertThat(named.lines()).hasSize(3);
      assertThat(named.lines().get(0)).contains("person plain  ");
      assertThat(named.lines().get(2)).startsWith("Differences: 2; ");
    } finally {
      run("UPDATE budget_accounts SET open_holds = open_holds - 1 WHERE user_id = 'plain'");
      run("UPDATE answer_requests SET lease_until = now() + interval '5 minutes' WHERE user_id ="
          + " 'plain' AND status = 'streaming'");
    }
  }

  @Test
  @DisplayName("gives the gateway's role numbers alone, and those to one node at a time")
  void counts() throws SQLException {
    Report counted = Wait.on(asGateway.counts(ReconcileRepository.LAPSED)).orElseThrow();
    assertThat(counted.count()).isZero();
    assertThat(counted.openHolds()).isGreaterThanOrEqualTo(2);
    assertThat(counted.differences()).isEmpty();
    assertThatThrownBy(() -> Wait.on(asGateway.report(1, ReconcileRepository.LAPSED)))
        .rootCause()
        .hasMessageContaining("permission denied for function reconcile_report");

    owner.setAutoCommit(false);
    try {
      run("SELECT reconcile_counts(interval '1 minute')");
      assertThat(Wait.on(asGateway.counts(ReconcileRepository.LAPSED))).isEmpty();
    } finally {
      owner.rollback();
      owner.setAutoCommit(true);
    }
  }

  @Test
  @DisplayName(
      "tells a copy in Redis with other numbers of the same version, or of a later version")
  void copies() throws SQLException {
    Redis redis = Redis.createClient(vertx, DevServices.shared().redisUrl());
    Map<String, String> at = Map.of("REDIS_URL", DevServices.shared().redisUrl());
    long version = number("SELECT version FROM budget_accounts WHERE user_id = 'credit'");
    try {
      copy(redis, version, 70, 1);
      assertThat(cli(at, "reconcile").lines())
          .hasSize(1)
          .allMatch(line -> line.startsWith("Differences: 0; "));
      copy(redis, version - 1, 1, 7);
      assertThat(cli(at, "reconcile").code()).isZero();

      copy(redis, version, 71, 2);
      assertThat(cli(at, "reconcile", "--persons").lines())
          .contains(
              "copy_free  request -  person credit  expected 70  found 71",
              "copy_open_holds  request -  person credit  expected 1  found 2")
          .hasSize(3);
      copy(redis, version + 1, 70, 1);
      assertThat(cli(at, "reconcile", "--persons").lines())
          .contains("copy_version  request -  person credit  expected " + version + "  found "
              + (version + 1))
          .hasSize(2);
    } finally {
      Wait.on(redis.send(Request.cmd(Command.DEL).arg(RedisLink.key("credit", "budget"))));
      Wait.on(redis.close());
    }
  }

  private static void copy(Redis redis, long version, long free, int open) {
    Wait.on(redis.send(Request.cmd(Command.HSET)
        .arg(RedisLink.key("credit", "budget"))
        .arg("version")
        .arg(version)
        .arg("free")
        .arg(free)
        .arg("open")
        .arg(open)));
  }

  private static long number(String query) throws SQLException {
    try (Statement look = owner.createStatement();
        ResultSet row = look.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  @DisplayName(
      "finds nothing while requests of every sort begin and end, nor when a month has turned")
  void load() throws SQLException {
    for (String person : List.of("u0", "u1", "u2", "u3")) {
      run("INSERT INTO budget_accounts (user_id, allowance_micro_usd, overage_cap_micro_usd,"
          + " overage_bound_micro_usd) VALUES ('" + person + "', "
          + Map.of("u0", "1500", "u1", "NULL", "u2", "900", "u3", "0").get(person)
          + ", 4000, 4000)");
    }
    run("SELECT grant_credits('u0', 'a', 700, now() + interval '1 day')");
    run("SELECT grant_credits('u2', 'b', 2000, NULL)");
    AtomicBoolean loaded = new AtomicBoolean();
    List<Report> meanwhile = new ArrayList<>();
    Random random = new Random(11);
    for (int round = 0; round < 4; round++) {
      loaded.set(false);
      Future<?> work = round(random, round).onComplete(done -> loaded.set(true));
      do {
        meanwhile.add(report());
      } while (!loaded.get());
      Wait.on(work);
      // What runs now was begun in a month that is over.
      run(
          "WITH r AS (UPDATE answer_requests SET hold_month = (hold_month - interval '1 month')::date"
              + " WHERE user_id ~ '^u[0-9]$') UPDATE budget_accounts SET month = (month - interval '1"
              + " month')::date WHERE user_id ~ '^u[0-9]$'");
      run("UPDATE budget_accounts SET allowance_micro_usd = coalesce(allowance_micro_usd, 0) + 5000"
          + " WHERE user_id = 'u" + round + "'");
    }
    meanwhile.add(report());

    assertThat(meanwhile).hasSizeGreaterThan(5);
    assertThat(meanwhile).flatExtracting(Report::differences).isEmpty();
    assertThat(meanwhile).extracting(Report::openHolds).contains(0L + report().openHolds());
    for (String used : List.of("carried_micro_usd", "overage_spent_micro_usd")) {
      assertThat(number("SELECT count(*) FROM budget_accounts WHERE " + used + " > 0"))
          .as(used)
          .isPositive();
    }
    assertThat(number("SELECT count(*) FROM answer_requests WHERE hold_credits_micro_usd > 0"))
        .isPositive();
    assertThat(number("SELECT count(*) FROM ledger_transfers WHERE state = 'expired'"))
        .isPositive();
    assertThat(number("SELECT count(*) FROM ledger_transfers WHERE cardinality(requests) > 1"))
        .isPositive();
  }

  /** A third alone, the rest in groups; one of ten stays begun. */
  private static Future<?> round(Random random, int round) {
    Promise<Object> done = Promise.promise();
    vertx.getOrCreateContext().runOnContext(turn -> {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        String person = "u" + random.nextInt(4);
        UUID request = new UUID(100 + round, i);
        Begin wish = CompletionCalls.begin(
            person, request, random.nextInt(8) == 0 ? 0 : 20 + random.nextInt(60));
        JsonObject end = anyEnd(random);
        boolean alone = random.nextInt(3) == 0;
        boolean stays = random.nextInt(10) == 0;
        Future<?> begun = alone ? turns.begin(wish) : turns.beginOutside(wish);
        all.add(begun
            .compose(ok -> stays
                ? Future.<Object>succeededFuture()
                : (alone
                        ? turns.finish(wish.user(), request, "node", end)
                        : turns.finishOutside(wish.user(), request, "node", end))
                    .map(ended -> (Object) ended))
            .otherwiseEmpty()); // some have no money left
      }
      Future.join(all).map(joined -> (Object) joined).onComplete(done);
    });
    return done.future();
  }
}
