package dev.askgateway.budget.hold;

import static dev.askgateway.store.CompletionCalls.end;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.core.BudgetRefusal;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Begun;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.CompletionCalls;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Holds, taken with the copy in Redis before the database")
class HoldsIT {
  private static final long HOLD = 1_000_000;
  private static final int LOOPS = 6;
  private static StoreConfig config;
  private static Connection owner;

  private final UserId user = new UserId("crowd-" + UUID.randomUUID());
  private Vertx vertx;
  private RedisLink link;
  private List<Context> loops;

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("holds");
    config = new StoreConfig(url, url, "ask", "ask_gateway", 16, Duration.ofSeconds(15));
    new Migrations(config).migrate();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    execute("SET search_path = ask, public");
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
  }

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    link = new RedisLink(
        vertx,
        new RedisConfig(
            DevServices.shared().redisUrl(), Duration.ofSeconds(5), Duration.ofMinutes(5)));
    loops = CompletionCalls.loops(vertx, LOOPS);
  }

  @AfterEach
  void close() {
    Wait.on(vertx.close());
  }

  private TurnRepository turns(BudgetPolicy policy) {
    return new TurnRepository(
        new Database(vertx, config),
        policy,
        new RedisHoldCache(link, policy, RedisHoldCache.UNDER_WAY, RedisHoldCache.KEPT, () -> {}));
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(String sql) throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      found.next();
      return found.getLong(1);
    }
  }

  private String mine() {
    return " WHERE user_id = '" + user.value() + "'";
  }

  /** What became of a beginning: its failure, or null. */
  private record Outcome(UUID request, Throwable failure) {}

  /** So many begin at once, spread over all loops. */
  private List<Outcome> rush(TurnRepository turns, int count) {
    List<Future<Outcome>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      UUID request = UUID.randomUUID();
      Promise<Outcome> outcome = Promise.promise();
      all.add(outcome.future());
      loops.get(i % LOOPS).runOnContext(turn -> turns
          .beginOutside(CompletionCalls.begin(user.value(), request, HOLD))
          .onComplete(begun -> outcome.complete(new Outcome(request, begun.cause()))));
    }
    return Wait.on(Future.all(all).map(done -> done.<Outcome>list()));
  }

  private static List<UUID> begun(List<Outcome> outcomes) {
    return outcomes.stream()
        .filter(one -> one.failure() == null)
        .map(Outcome::request)
        .toList();
  }

  private static Stream<GatewayError> refused(List<Outcome> outcomes) {
    return outcomes.stream().filter(one -> one.failure() != null).map(one ->
        (GatewayError) one.failure());
  }

  private void settle(TurnRepository turns, List<UUID> requests, long cost) {
    List<Future<JsonObject>> all = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      UUID request = requests.get(i);
      Promise<JsonObject> ended = Promise.promise();
      all.add(ended.future());
      loops.get(i % LOOPS).runOnContext(turn -> turns
          .finishOutside(user, request, "node", end(cost))
          .onComplete(ended));
    }
    Wait.on(Future.all(all));
    assertThat(all).allMatch(ended -> ended.result().getBoolean("finished"));
  }

  private void account(long allowance) throws SQLException {
    execute("INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES ('" + user.value()
        + "', " + allowance + ")");
  }

  private void books(long held, long spent) throws SQLException {
    assertThat(number("SELECT held_micro_usd FROM budget_accounts" + mine())).isEqualTo(held);
    assertThat(number("SELECT spent_micro_usd FROM budget_accounts" + mine())).isEqualTo(spent);
    assertThat(number("SELECT sum(held) FROM ledger_transfers" + mine())).isEqualTo(held);
    assertThat(number("SELECT sum(revenue) FROM ledger_transfers" + mine())).isEqualTo(spent);
    assertThat(number("SELECT min(left_) FROM (SELECT sum(allowance) OVER (ORDER BY id) AS left_"
            + " FROM ledger_transfers" + mine() + ") x"))
        .as("what was left of the allowance at the worst moment")
        .isNotNegative();
  }

  private void emptyRedis() {
    String copy = RedisLink.key(user.value(), "budget");
    Wait.on(link.send(Request.cmd(Command.DEL).arg(copy).arg(copy + ":wants")));
  }

  /** Each look is a round trip. */
  private void untilCopyHasNothingFree() {
    String copy = RedisLink.key(user.value(), "budget");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    Response free;
    do {
      free = Wait.on(link.send(Request.cmd(Command.HGET).arg(copy).arg("free")));
      assertThat(System.nanoTime()).as("the copy learns of it").isLessThan(end);
    } while (free == null || !free.toString().equals("0"));
  }

  private void writeCopy(long free) {
    Wait.on(link.send(Request.cmd(Command.HSET)
        .arg(RedisLink.key(user.value(), "budget"))
        .arg("version")
        .arg(Long.toString(1L << 52))
        .arg("free")
        .arg(Long.toString(free))
        .arg("open")
        .arg("0")
        .arg("requestCap")
        .arg("")));
  }

  @Test
  @DisplayName(
      "five hundred at once for the money of a hundred: a hundred begin, and as many more as"
          + " their ends set free, whatever the copy says")
  void exact() throws SQLException {
    account(100 * HOLD);
    TurnRepository turns = turns(BudgetPolicy.NONE);

    List<Outcome> first = rush(turns, 500);
    assertThat(begun(first)).hasSize(100);
    assertThat(refused(first)).hasSize(400).allSatisfy(refusal -> {
      assertThat(refusal.code()).isEqualTo(GatewayError.Code.BUDGET_EXHAUSTED);
      assertThat(refusal.budget())
          .isEqualTo(new BudgetRefusal(BudgetRefusal.Reason.IN_USE, true, null));
    });
    books(100 * HOLD, 0);

    settle(turns, begun(first), HOLD / 2);
    books(0, 50 * HOLD);
    writeCopy(0); // an old one that says: nothing left
    List<Outcome> second = rush(turns, 200);
    assertThat(begun(second)).as("under a copy that says there is nothing").hasSize(50);
    books(50 * HOLD, 50 * HOLD);

    settle(turns, begun(second), HOLD / 2);
    writeCopy(1_000 * HOLD);
    List<Outcome> third = rush(turns, 200);
    assertThat(begun(third)).as("under a copy that says there is plenty").hasSize(25);
    books(25 * HOLD, 75 * HOLD);

    settle(turns, begun(third), HOLD / 2);
    Future<Void> emptied = vertx.executeBlocking(() -> {
      emptyRedis();
      return null;
    });
    List<Outcome> fourth = rush(turns, 200);
    Wait.on(emptied);
    assertThat(begun(fourth)).as("while Redis is emptied").hasSize(12);
    assertThat(refused(fourth))
        .allMatch(refusal ->
            refusal.budget() != null && refusal.budget().reason() == BudgetRefusal.Reason.IN_USE);
    books(12 * HOLD, 75 * HOLD + 25 * HOLD / 2);

    settle(turns, begun(fourth), HOLD);
    List<Outcome> last = rush(turns, 20);
    assertThat(begun(last)).isEmpty();
    assertThat(refused(last))
        .allMatch(refusal -> refusal.budget() != null
            && refusal.budget().reason() == BudgetRefusal.Reason.MONTHLY_ALLOWANCE
            && refusal.budget().until() != null);
  }

  @Test
  @DisplayName("a request that comes again finds itself, though its own hold leaves nothing free")
  void again() throws SQLException {
    account(HOLD);
    TurnRepository turns = turns(new BudgetPolicy(null, null, null, 1));
    UUID request = UUID.randomUUID();
    assertThat(Wait.onLoop(
            vertx, () -> turns.beginOutside(CompletionCalls.begin(user.value(), request, HOLD))))
        .isEqualTo(Begun.FRESH);
    untilCopyHasNothingFree();
    List<Outcome> another = rush(turns, 1);
    assertThat(refused(another).map(GatewayError::code))
        .containsExactly(GatewayError.Code.RATE_LIMITED);

    assertThat(Wait.onLoop(
            vertx, () -> turns.beginOutside(CompletionCalls.begin(user.value(), request, HOLD))))
        .isEqualTo(Begun.USED);
    assertThat(Wait.on(turns.begin(CompletionCalls.begin(user.value(), request, HOLD)))
            .getBoolean("begun"))
        .isFalse();
    assertThat(number("SELECT count(*) FROM answer_requests" + mine())).isEqualTo(1);
  }

  @Test
  @DisplayName("what the copy refuses takes no lock and leaves nothing in the database")
  void refusedEarly() throws SQLException {
    account(HOLD);
    TurnRepository turns = turns(BudgetPolicy.NONE);
    assertThat(begun(rush(turns, 1))).hasSize(1);
    untilCopyHasNothingFree();
    owner.setAutoCommit(false);
    try {
      // Whoever wanted to hold anything would wait for this.
      execute("SELECT FROM budget_accounts" + mine() + " FOR UPDATE");
      assertThat(refused(rush(turns, 20)).map(GatewayError::code))
          .hasSize(20)
          .containsOnly(GatewayError.Code.BUDGET_EXHAUSTED);
    } finally {
      owner.rollback();
      owner.setAutoCommit(true);
    }
  }

  @Test
  @DisplayName("a person who comes for the first time has the policy's allowance")
  void policy() throws SQLException {
    TurnRepository turns = turns(new BudgetPolicy(3 * HOLD, null, null, 0));
    assertThat(begun(rush(turns, 40))).hasSize(3);
    books(3 * HOLD, 0);
  }
}
