package dev.askgateway.answer.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.Arm;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.Rollout;
import dev.askgateway.store.RolloutCommands;
import dev.askgateway.store.RolloutCommands.Author;
import dev.askgateway.store.RolloutCommands.Wanted;
import dev.askgateway.store.RolloutMeasures;
import dev.askgateway.store.RolloutRepository;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The guard of a rollout")
class RolloutGuardIT {
  private static final Author ANA = new Author("ana", "");
  private static final RolloutConfig CONFIG =
      new RolloutConfig(Duration.ofMinutes(1), Duration.ofMinutes(1), 50, 0.05);

  /** An answer like most of the control's. */
  private static final String GOOD =
      "{\"costMicroUsd\": 100, \"firstTextMs\": 900, \"tookMs\": 3000, \"sources\": 2,"
          + " \"marksDropped\": 0, \"leaked\": 0}";

  private final Vertx vertx = Vertx.vertx();
  private final List<String> takenBack = new ArrayList<>();
  private StoreConfig store;
  private Database database;
  private Database owner;
  private Connection rows;
  private RolloutWatch watch;
  private RolloutGuard guard;

  @BeforeEach
  void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("rollout_guard");
    store = new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    rows = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    owner = Database.ofOwner(vertx, store);
    database = new Database(vertx, store);
    watch = watch();
    guard = guard(watch);
    Wait.on(new RolloutCommands(owner)
        .start(new Wanted("next", Rollout.Kind.PROFILE, "a", "b", 25, List.of("eve")), ANA));
    Wait.on(watch.look());
  }

  private RolloutWatch watch() {
    return new RolloutWatch(
        vertx,
        new RolloutRepository(database),
        CONFIG,
        new ModelSwitch(true, new ExtractiveProvider(vertx)),
        rollout -> true,
        rollout -> {});
  }

  private RolloutGuard guard(RolloutWatch of) {
    return new RolloutGuard(vertx, new RolloutRepository(database), of, CONFIG, takenBack::add);
  }

  @AfterEach
  void stop() throws SQLException {
    rows.close();
    Wait.on(vertx.close());
  }

  private void answers(String arm, int count, String status, String measured, String began)
      throws SQLException {
    answers(arm, count, status, measured, began, "NULL");
  }

  /** So many answers of an arm that ended like that, or run while their node holds the lease. */
  private void answers(
      String arm, int count, String status, String measured, String began, String lease)
      throws SQLException {
    try (Statement insert = rows.createStatement()) {
      insert.execute("INSERT INTO ask.answer_requests (user_id, request_id, kind, fingerprint,"
          + " assistant_turn_id, profile, status, created_at, lease_until, rollout_run, arm, measured)"
          + " SELECT 'p' || i, gen_random_uuid(), 'turn', '', gen_random_uuid(), 'a', '" + status
          + "', " + began + ", " + lease
          + ", (SELECT run FROM ask.rollout_changes ORDER BY version LIMIT 1), '"
          + arm + "', " + (measured == null ? "NULL" : "'" + measured + "'::jsonb")
          + " FROM generate_series(1, " + count + ") i");
    }
  }

  private void answers(String arm, int count, String status, String measured) throws SQLException {
    answers(arm, count, status, measured, "clock_timestamp()");
  }

  /** As nodes see it next. */
  private Rollout newest() {
    Wait.on(watch.look());
    Rollout rollout = watch.newest();
    assertThat(rollout).isNotNull();
    return rollout;
  }

  private String text(String sql) throws SQLException {
    try (Statement read = rows.createStatement();
        ResultSet found = read.executeQuery(sql)) {
      found.next();
      return found.getString(1);
    }
  }

  @Test
  @DisplayName("leaves a candidate that is as good where it is, however often it looks")
  void asGood() throws SQLException {
    answers("control", 400, "completed", GOOD);
    answers("candidate", 200, "completed", GOOD);
    answers("control", 8, "failed", GOOD);
    answers("candidate", 4, "failed", GOOD);
    answers("candidate", 5, "cancelled", GOOD);
    answers("candidate", 50, "streaming", null, "clock_timestamp()", "clock_timestamp()");
    for (int look = 0; look < 5; look++) {
      Wait.on(guard.look());
    }
    assertThat(newest().isRunning()).isTrue();
    assertThat(takenBack).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "leak       | completed | leaked       | 1    | 1",
        "terminal   | failed    |              |      | 20",
        "stream     | failed    | sources      | 0    | 30",
        "cost       | completed | costMicroUsd | 400  | 100",
        "first_text | completed | firstTextMs  | 1100 | 60",
        "first_text | cancelled | firstTextMs  |      | 60",
        "completion | completed | tookMs       | 4000 | 60",
        "sources    | completed | sources      | 0    | 40",
        "marks      | completed | marksDropped | 3    | 40"
      })
  @DisplayName("takes a candidate back that is worse at one thing, for that, with the numbers")
  void worse(String gate, String status, String member, Integer value, int count)
      throws SQLException {
    answers("control", 400, "completed", GOOD);
    answers("candidate", 100, "completed", GOOD);
    String worse =
        member == null ? null : new JsonObject(GOOD).put(member, value).encode();
    answers("candidate", count, status, worse);
    Wait.on(guard.look());

    assertThat(newest().state()).isEqualTo(Rollout.State.ROLLED_BACK);
    assertThat(newest().share()).isZero();
    assertThat(newest().gate()).isEqualTo(gate);
    assertThat(takenBack).containsExactly(gate);
    JsonObject numbers = new JsonObject(
        text("SELECT numbers FROM ask.rollout_changes ORDER BY version DESC LIMIT 1"));
    assertThat(numbers.getJsonObject("candidate").getInteger("answers")).isEqualTo(100 + count);
    assertThat(numbers.getJsonObject("control").getInteger("answers")).isEqualTo(400);
    assertThat(numbers.getDouble("errorRate")).isEqualTo(0.05);
  }

  @Test
  @DisplayName("waits for the least number of answers, but not where evidence leaks")
  void tooFew() throws SQLException {
    answers("control", 400, "completed", GOOD);
    answers("candidate", 49, "failed", GOOD);
    Wait.on(guard.look());
    assertThat(newest().isRunning()).isTrue();

    answers("listed", 1, "completed", new JsonObject(GOOD).put("leaked", 1).encode());
    Wait.on(guard.look());
    assertThat(newest().gate()).isEqualTo("leak");
  }

  @Test
  @DisplayName(
      "counts what nobody renews and sweeps as lost, nothing that runs, and nothing of a stage before")
  void sinceTheStage() throws SQLException {
    answers("candidate", 100, "failed", null, "clock_timestamp() - interval '1 day'");
    Wait.on(guard.look());
    assertThat(newest().isRunning()).isTrue();

    try (Statement aged = rows.createStatement()) {
      aged.execute("UPDATE ask.rollout_changes SET changed_at = now() - interval '1 hour'");
    }
    String begun = "clock_timestamp() - interval '50 minutes'";
    answers("candidate", 60, "streaming", null, begun, "clock_timestamp() - interval '30 seconds'");
    Wait.on(watch.look());
    Wait.on(guard.look());
    assertThat(newest().isRunning()).as("they may be swept yet").isTrue();

    answers("candidate", 60, "streaming", null, begun, "clock_timestamp() - interval '2 minutes'");
    Wait.on(guard.look());
    assertThat(newest().gate()).isEqualTo("terminal");
  }

  @Test
  @DisplayName("leaves a candidate where it is that loses as many as the control: a node has died")
  void bothLose() throws SQLException {
    answers("control", 400, "completed", GOOD);
    answers("candidate", 200, "completed", GOOD);
    answers("control", 60, "failed", null);
    answers("candidate", 30, "failed", null);
    Wait.on(guard.look());
    assertThat(newest().isRunning()).isTrue();
  }

  /** Aged by so many minutes, one a minute. */
  private static String minutesAgo(int from) {
    return "clock_timestamp() - (" + from + " + i) * interval '1 minute'";
  }

  @Test
  @DisplayName(
      "looks at both arms over the same time once the larger one has more than is looked at")
  void sameTime() throws SQLException {
    try (Statement aged = rows.createStatement()) {
      aged.execute("UPDATE ask.rollout_changes SET changed_at = now() - interval '1 day'");
    }
    answers("control", 200, "completed", GOOD, minutesAgo(0));
    answers("candidate", 10, "completed", GOOD, minutesAgo(50));
    answers("candidate", 40, "completed", GOOD, minutesAgo(150));
    answers("listed", 5, "completed", GOOD, minutesAgo(500));
    Map<Arm.Place, RolloutMeasures> arms =
        Wait.on(new RolloutRepository(database).measures(newest(), 100, Gates.SLOWER));
    assertThat(arms.get(Arm.Place.CONTROL).answers()).isEqualTo(100);
    assertThat(arms.get(Arm.Place.CANDIDATE).answers()).isEqualTo(10);
    assertThat(arms.get(Arm.Place.LISTED).answers()).isEqualTo(5);

    arms = Wait.on(new RolloutRepository(database).measures(newest(), 1_000, Gates.SLOWER));
    assertThat(arms.get(Arm.Place.CONTROL).answers()).isEqualTo(200);
    assertThat(arms.get(Arm.Place.CANDIDATE).answers()).isEqualTo(50);
  }

  @Test
  @DisplayName(
      "reads requests of three arms and no other, whose column came without a look at the rows of before")
  void arms() throws SQLException {
    assertThatThrownBy(() -> answers("other", 1, "completed", GOOD))
        .hasMessageContaining("answer_requests_arm_check");
    assertThat(text(
            "SELECT convalidated FROM pg_constraint WHERE conname = 'answer_requests_arm_check'"))
        .isEqualTo("f");
  }

  @Test
  @DisplayName("of two nodes only one takes it back, and the other follows")
  void twoNodes() throws SQLException {
    RolloutWatch other = watch();
    Wait.on(other.look());
    RolloutGuard there = guard(other);
    answers("candidate", 1, "completed", new JsonObject(GOOD).put("leaked", 1).encode());
    Wait.on(guard.look());
    Wait.on(there.look());
    assertThat(takenBack).containsExactly("leak");
    Wait.on(other.look());
    assertThat(other.running()).isNull();
    assertThat(text("SELECT count(*) FROM ask.rollout_changes")).isEqualTo("2");
  }

  @Test
  @DisplayName("leaves what an operator changed meanwhile as it is")
  void meanwhile() throws SQLException {
    answers("candidate", 1, "completed", new JsonObject(GOOD).put("leaked", 1).encode());
    Wait.on(new RolloutCommands(owner).change("next", Rollout.State.RUNNING, 5, ANA));
    Wait.on(guard.look());
    assertThat(newest().isRunning()).isTrue();
    assertThat(newest().share()).isEqualTo(5);
    assertThat(takenBack).isEmpty();
  }
}
