package dev.askgateway.store;

import static dev.askgateway.store.CompletionCalls.begin;
import static dev.askgateway.store.CompletionCalls.end;
import static dev.askgateway.store.CompletionCalls.loops;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.Timeout;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(value = 60, timeUnit = TimeUnit.SECONDS)
class TurnGroupsIT {
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static StoreConfig config;
  private static Connection owner;

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("groups");
    config = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(config).migrate();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    try (Statement statement = owner.createStatement()) {
      statement.execute("SET search_path = ask, public");
      statement.execute("INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES"
          + " ('poor', 25), ('rich', 1000000000), ('p0', NULL), ('p1', NULL), ('p2', NULL), ('p3', NULL),"
          + " ('p4', NULL), ('p5', NULL), ('p6', NULL)");
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
  }

  private static long number(String sql) throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      found.next();
      return found.getLong(1);
    }
  }

  /** All asked in one turn of one event loop; a failure is the name of its code. */
  private static Future<List<Object>> inOneTurn(Context loop, List<Supplier<Future<?>>> calls) {
    Promise<List<Object>> answers = Promise.promise();
    loop.runOnContext(turn -> Future.all(calls.stream()
            .map(Supplier::get)
            .map(call -> call.map(value -> (Object) value)
                .otherwise(failure -> ((GatewayError) failure).code().name()))
            .toList())
        .map(all -> all.<Object>list())
        .onComplete(answers));
    return answers.future();
  }

  private static List<Object> await(Future<List<Object>> answers) throws Exception {
    return answers.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("requests that begin in one turn share a transaction, as do those that end in one")
  void oneTransaction(Vertx vertx) throws Exception {
    TurnRepository turns = new TurnRepository(new Database(vertx, config));
    Context loop = vertx.getOrCreateContext();
    List<UUID> requests =
        IntStream.range(0, 50).mapToObj(i -> UUID.randomUUID()).toList();
    List<Supplier<Future<?>>> begins = new ArrayList<>();
    List<Supplier<Future<?>>> ends = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      UUID request = requests.get(i);
      String person = "p" + i % 7;
      begins.add(() -> turns.beginOutside(begin(person, request, 10)));
      ends.add(() -> turns
          .finishOutside(new UserId(person), request, "node", end(3))
          .map(row -> row.getBoolean("finished")));
    }

    assertThat(await(inOneTurn(loop, begins))).hasSize(50).containsOnly(Begun.FRESH);
    assertThat(number(
            "SELECT count(DISTINCT xmin::text) FROM answer_requests WHERE user_id LIKE 'p_'"))
        .isEqualTo(1);
    assertThat(await(inOneTurn(loop, ends))).hasSize(50).containsOnly(true);
    assertThat(number(
            "SELECT count(DISTINCT xmin::text) FROM answer_requests WHERE user_id LIKE 'p_'"))
        .isEqualTo(1);
    assertThat(number("SELECT sum(spent_micro_usd) FROM budget_accounts WHERE user_id LIKE 'p_'"))
        .isEqualTo(150);
    assertThat(number("SELECT sum(held_micro_usd) FROM budget_accounts WHERE user_id LIKE 'p_'"))
        .isZero();
    assertThat(await(inOneTurn(loop, ends))).containsOnly(false);
    assertThat(number("SELECT sum(spent_micro_usd) FROM budget_accounts WHERE user_id LIKE 'p_'"))
        .isEqualTo(150);
  }

  @Test
  @DisplayName("a beginning is on disk before it is told, also where the server would not wait")
  void durable() throws SQLException {
    owner.setAutoCommit(false);
    try (Statement statement = owner.createStatement()) {
      statement.execute("SET LOCAL synchronous_commit = off");
      statement.execute("SELECT begin_all('node', '{p0}', '{" + UUID.randomUUID() + "}', '{f}',"
          + " '{completion}', '{m}', '{1000}', '{1}', '{book}')");
      try (ResultSet setting = statement.executeQuery("SHOW synchronous_commit")) {
        setting.next();
        assertThat(setting.getString(1)).isEqualTo("on");
      }
    } finally {
      owner.rollback();
      owner.setAutoCommit(true);
    }
  }

  @Test
  @DisplayName("who is refused is told so in its own place, and the others begin")
  void refusals(Vertx vertx) throws Exception {
    TurnRepository turns = new TurnRepository(new Database(vertx, config));
    Context loop = vertx.getOrCreateContext();
    UUID used = UUID.randomUUID();
    UUID twin = UUID.randomUUID();
    Begin otherBody = Begin.outside(
        new UserId("rich"), used, Buffer.buffer("g"), "completion", "m", "node", LEASE, 1, "book");
    await(inOneTurn(loop, List.of(() -> turns.beginOutside(begin("rich", used, 10)))));
    List<Supplier<Future<?>>> calls = List.of(
        () -> turns.beginOutside(begin("poor", new UUID(0, 1), 10)),
        () -> turns.beginOutside(begin("poor", new UUID(0, 2), 20)),
        () -> turns.beginOutside(begin("rich", twin, 10)),
        () -> turns.beginOutside(otherBody),
        () -> turns.beginOutside(begin("rich", used, 10)),
        () -> turns.beginOutside(begin("rich", twin, 10)),
        () -> turns.beginOutside(begin("poor", new UUID(0, 3), 10)));

    assertThat(await(inOneTurn(loop, calls)))
        .containsExactly(
            Begun.FRESH,
            "BUDGET_EXHAUSTED",
            Begun.FRESH,
            "REQUEST_CONFLICT",
            Begun.USED,
            Begun.USED,
            Begun.FRESH);
    assertThat(number("SELECT held_micro_usd FROM budget_accounts WHERE user_id = 'poor'"))
        .isEqualTo(20);
    assertThat(number("SELECT held_micro_usd FROM budget_accounts WHERE user_id = 'rich'"))
        .isEqualTo(20);
  }

  @Test
  @DisplayName("who begins is told once the day's charges have reached what they are warned at")
  void warned(Vertx vertx) throws Exception {
    TurnRepository turns = new TurnRepository(
        new Database(vertx, config), new BudgetPolicy(null, null, 8L, 0), HoldCache.NONE);
    Context loop = vertx.getOrCreateContext();
    List<UUID> requests = List.of(new UUID(90, 1), new UUID(90, 2), new UUID(90, 3));
    List<Object> begun = new ArrayList<>();
    for (UUID request : requests) {
      begun.addAll(await(inOneTurn(
          loop,
          List.of(
              () -> turns.beginOutside(begin("daily", request, 10)),
              () -> turns.beginOutside(begin("thrifty", request, 10))))));
      await(inOneTurn(
          loop,
          List.of(
              () -> turns.finishOutside(new UserId("daily"), request, "node", end(4)),
              () -> turns.finishOutside(new UserId("thrifty"), request, "node", end(1)))));
    }

    assertThat(begun)
        .containsExactly(
            Begun.FRESH, Begun.FRESH, Begun.FRESH, Begun.FRESH, Begun.WARNED, Begun.FRESH);
    assertThat(turns
            .beginOutside(begin("daily", new UUID(90, 4), 10))
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS))
        .as("alone")
        .isEqualTo(Begun.WARNED);
    number("WITH own AS (UPDATE budget_accounts SET daily_warning_micro_usd = 100 WHERE user_id ="
        + " 'daily' RETURNING 1) SELECT count(*) FROM own");
    assertThat(await(inOneTurn(
            loop, List.of(() -> turns.beginOutside(begin("daily", new UUID(90, 5), 10))))))
        .as("by a warning of their own")
        .containsExactly(Begun.FRESH);
    number("WITH aged AS (UPDATE budget_accounts SET daily_warning_micro_usd = NULL, day = day - 1"
        + " WHERE user_id = 'daily' RETURNING 1) SELECT count(*) FROM aged");
    assertThat(await(inOneTurn(
            loop, List.of(() -> turns.beginOutside(begin("daily", new UUID(90, 6), 10))))))
        .as("on another day")
        .containsExactly(Begun.FRESH);
  }

  @Test
  @DisplayName(
      "many loops that begin and end for the same persons never wait in a circle, and lose nothing")
  void noCircle(Vertx vertx) throws Exception {
    TurnRepository turns = new TurnRepository(new Database(vertx, config));
    Random random = new Random(4);
    long before =
        number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    List<Future<List<Object>>> all = new ArrayList<>();
    for (Context loop : loops(vertx, 6)) {
      List<Supplier<Future<?>>> calls = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        UUID request = new UUID(random.nextLong(), i);
        String person = "c" + random.nextInt(5);
        calls.add(() -> turns
            .beginOutside(begin(person, request, 10))
            .compose(begun -> turns.finishOutside(new UserId(person), request, "node", end(4)))
            .map(row -> row.getBoolean("finished")));
      }
      Collections.shuffle(calls, random);
      all.add(inOneTurn(loop, calls));
    }
    for (Future<List<Object>> answers : all) {
      assertThat(await(answers)).hasSize(60).containsOnly(true);
    }
    assertThat(number("SELECT sum(spent_micro_usd) FROM budget_accounts WHERE user_id LIKE 'c_'"))
        .isEqualTo(6 * 60 * 4);
    assertThat(number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
        .isEqualTo(before);
  }

  @Test
  @DisplayName(
      "what one call holds that no database can take fails that call, and no other of its group")
  void poison(Vertx vertx) throws Exception {
    TurnRepository turns = new TurnRepository(new Database(vertx, config));
    Context loop = vertx.getOrCreateContext();
    List<UUID> requests = List.of(new UUID(79, 1), new UUID(79, 2), new UUID(79, 3));
    List<Supplier<Future<?>>> begins = new ArrayList<>();
    List<Supplier<Future<?>>> ends = new ArrayList<>();
    for (UUID request : requests) {
      JsonObject end = end(4).put("model", request.equals(requests.get(1)) ? "a\u0000b" : "m");
      begins.add(() -> turns.beginOutside(begin("mixed", request, 10)));
      ends.add(() -> turns
          .finishOutside(new UserId("mixed"), request, "node", end)
          .map(row -> row.getBoolean("finished")));
    }

    assertThat(await(inOneTurn(loop, begins))).containsOnly(Begun.FRESH);
    assertThat(await(inOneTurn(loop, ends))).containsExactly(true, "INTERNAL", true);
    assertThat(number("SELECT held_micro_usd FROM budget_accounts WHERE user_id = 'mixed'"))
        .isEqualTo(10);
  }

  @Test
  @DisplayName("an end reads what it ends, not all that the person ever asked")
  void readsNoMore(Vertx vertx) throws Exception {
    TurnRepository turns = new TurnRepository(new Database(vertx, config));
    Context loop = vertx.getOrCreateContext();
    List<Supplier<Future<?>>> calls = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      UUID request = new UUID(77, i);
      calls.add(() -> turns
          .beginOutside(begin("old", request, 10))
          .compose(begun -> turns.finishOutside(new UserId("old"), request, "node", end(4))));
    }
    await(inOneTurn(loop, calls));
    List<UUID> last = List.of(new UUID(78, 1), new UUID(78, 2), new UUID(78, 3));
    await(inOneTurn(
        loop,
        last.stream()
            .<Supplier<Future<?>>>map(
                request -> () -> turns.beginOutside(begin("old", request, 10)))
            .toList()));

    owner.setAutoCommit(false);
    try (Statement statement = owner.createStatement()) {
      statement.execute("SET LOCAL ROLE ask_gateway");
      try (PreparedStatement finish = owner.prepareStatement(
          "SELECT count(*) FILTER (WHERE finished) FROM finish_all('node', ?, ?, ?::jsonb[])")) {
        finish.setArray(1, owner.createArrayOf("text", new String[] {"old", "old", "old"}));
        finish.setArray(2, owner.createArrayOf("uuid", last.toArray()));
        String end = end(4).encode();
        finish.setArray(3, owner.createArrayOf("text", new String[] {end, end, end}));
        try (ResultSet finished = finish.executeQuery()) {
          finished.next();
          assertThat(finished.getLong(1)).isEqualTo(3);
        }
      }
      assertThat(number("SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables"
              + " WHERE relname IN ('answer_requests', 'ledger_transfers')"))
          .isBetween(3L, 60L);
    } finally {
      owner.rollback();
      owner.setAutoCommit(true);
    }
  }
}
