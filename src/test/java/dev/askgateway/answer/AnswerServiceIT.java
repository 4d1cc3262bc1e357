package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.RedisCancelSignals;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.budget.RedisTurnLog;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The life of answers over a real PostgreSQL and Redis, on two nodes. */
class AnswerServiceIT {
  private static final UserId ANA = new UserId("ana");
  private static final UserId BEN = new UserId("ben");
  private static final Random RANDOM = new Random(42);

  private static Vertx vertx;
  private static StoreConfig store;
  private static ScriptedEngine engine;
  private static Node one;
  private static Node two;

  /** One gateway process, as far as answers go. */
  private record Node(AnswerService answers, Database database, RedisCancelSignals signals) {
    static Node start(String name, AnswerConfig config, boolean keeps) {
      Database database = new Database(vertx, store);
      RedisLink link = new RedisLink(
          vertx,
          new RedisConfig(
              DevServices.shared().redisUrl(), Duration.ofSeconds(1), Duration.ofMinutes(5)));
      RedisCancelSignals signals = new RedisCancelSignals(vertx, link);
      AnswerService answers = new AnswerService(
          vertx,
          new TurnRepository(database),
          new RedisTurnLog(link),
          signals,
          engine,
          config,
          new SilentListener(),
          Clock.systemUTC(),
          name);
      if (keeps) {
        answers.start();
      }
      return new Node(answers, database, signals);
    }

    void stop() {
      signals.close();
      await(answers.drain(Duration.ZERO));
      await(database.close());
    }
  }

  private static AnswerConfig config(Duration lease, Duration grace) {
    return new AnswerConfig(
        lease, Duration.ofMillis(100), grace, 100_000, 6, AnswerConfig.Reveal.CITED);
  }

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
    String url = DevServices.shared().freshDatabase("answers");
    store = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    engine = new ScriptedEngine();
    AnswerConfig usual = config(Duration.ofSeconds(5), Duration.ofMinutes(1));
    one = Node.start("one", usual, true);
    two = Node.start("two", usual, true);
  }

  @AfterAll
  static void stop() {
    one.stop();
    two.stop();
    await(vertx.close());
  }

  @BeforeEach
  void reset() {
    engine.calls.set(0);
    engine.waiting.clear();
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new AssertionError(failed.getCause());
    } catch (Exception late) {
      throw new AssertionError(late);
    }
  }

  private static <T> Future<T> onLoop(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    vertx.getOrCreateContext().runOnContext(on -> work.get().onComplete(done));
    return done.future();
  }

  private static AskCommand command(UserId user, UUID request, AskCommand.Target target, String q) {
    return new AskCommand(
        user, request, target, q, Scope.GLOBAL, null, null, "assistant_grounded", Buffer.buffer(q));
  }

  private static AskCommand question(UUID request) {
    return command(ANA, request, new AskCommand.NewThread(), "When is dinner?");
  }

  private static UUID id() {
    return new UUID(RANDOM.nextLong(), RANDOM.nextLong());
  }

  private static CollectingSink ask(Node node, AskCommand command) {
    CollectingSink sink = new CollectingSink();
    await(onLoop(() -> node.answers().ask(command, sink)));
    return sink;
  }

  private static List<Object> sql(String query) {
    StoreConfig.Address owner = StoreConfig.Address.of("url", store.url());
    try (Connection connection =
            DriverManager.getConnection(owner.jdbc(), owner.user(), owner.password());
        ResultSet rows = connection.createStatement().executeQuery(query)) {
      List<Object> values = new ArrayList<>();
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          values.add(rows.getObject(i));
        }
      }
      return values;
    } catch (SQLException broken) {
      throw new AssertionError(broken);
    }
  }

  private static void sqlUpdate(String statement) {
    StoreConfig.Address owner = StoreConfig.Address.of("url", store.url());
    try (Connection connection =
        DriverManager.getConnection(owner.jdbc(), owner.user(), owner.password())) {
      connection.createStatement().executeUpdate(statement);
    } catch (SQLException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  @DisplayName(
      "what was shown is what is stored, with the cited sources only, settled before the end is told")
  void completed() throws Exception {
    UUID request = id();
    CollectingSink sink = ask(one, question(request));
    engine
        .next()
        .say("Dinner is at ", "eight [S", "1]. ", "Not [S7].")
        .meter(new Usage(100, 0, 0, 50, 0, false))
        .finish();
    await(sink.ended());

    assertThat(sink.text()).isEqualTo("Dinner is at eight [S1]. Not.");
    assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED);
    assertThat(sink.end().costMicroUsd()).isEqualTo(200);
    assertThat(sink.end().thread().getString("title")).isEqualTo("When is dinner?");
    assertThat(sql(
            "SELECT content, status, jsonb_array_length(citations), citations->0->>'label', provider"
                + " FROM ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
                + request
                + "'"))
        .containsExactly("Dinner is at eight [S1]. Not.", "completed", 1, "S1", "scripted");
    assertThat(sql(
            "SELECT state, amount_micro_usd, settled_micro_usd FROM ask.budget_holds WHERE request_id = '"
                + request
                + "'"))
        .containsExactly("posted", 1000L, 200L);
    assertThat(sql("SELECT kind, amount_micro_usd FROM ask.ledger_entries WHERE request_id = '"
            + request
            + "' ORDER BY id"))
        .containsExactly("reservation", 1000L, "settlement", 200L, "release", 800L);
    assertThat(sql(
            "SELECT estimated, provider_cost_micro_usd, price_book_version FROM ask.ai_usage_events"
                + " WHERE request_id = '"
                + request
                + "'"))
        .containsExactly(false, 200L, "test-book");
  }

  @Test
  @DisplayName("the sources part that names a mark goes out just before the text that holds it")
  void revealed() throws Exception {
    CollectingSink sink = ask(one, question(id()));
    engine.next().say("A [S2] and B [S1].").finish();
    await(sink.ended());

    List<Integer> cited = new ArrayList<>();
    for (AnswerEvent event : sink.events) {
      if (event instanceof AnswerEvent.Sources sources) {
        cited.add(sources.citations().size());
      }
      if (event instanceof AnswerEvent.Text text && text.delta().contains("[S1]")) {
        assertThat(cited).containsExactly(0, 1, 2);
      }
    }
    assertThat(cited).containsExactly(0, 1, 2);
  }

  @Test
  @DisplayName("fifty posts of one request on two nodes: one model call, fifty equal answers")
  void oneCall() throws Exception {
    UUID request = id();
    List<CollectingSink> sinks = new ArrayList<>();
    List<Future<Void>> asked = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      CollectingSink sink = new CollectingSink();
      sinks.add(sink);
      Node node = i % 2 == 0 ? one : two;
      asked.add(onLoop(() -> node.answers().ask(question(request), sink)));
    }
    await(Future.all(asked));
    engine.next().say("Eight ", "[S1].").finish();
    for (CollectingSink sink : sinks) {
      await(sink.ended());
    }

    assertThat(engine.calls).hasValue(1);
    assertThat(sinks).allSatisfy(sink -> assertThat(sink.events).isEqualTo(sinks.get(0).events));
  }

  @Test
  @DisplayName("a finished request is replayed from the store, on any node, without a model call")
  void replay() throws Exception {
    UUID request = id();
    CollectingSink first = ask(one, question(request));
    engine.next().say("Eight [S1].").finish();
    await(first.ended());
    CollectingSink again = ask(two, question(request));
    await(again.ended());

    assertThat(engine.calls).hasValue(1);
    assertThat(again.text()).isEqualTo("Eight [S1].");
    assertThat(again.events.get(0)).isInstanceOf(AnswerEvent.Opened.class);
    assertThat(again.end().thread()).isNotNull();
    assertThat(again.end().usage()).isEqualTo(first.end().usage());
  }

  @Test
  @DisplayName("the same request id with another body conflicts and leaves nothing behind")
  void conflict() throws Exception {
    UUID request = id();
    CollectingSink first = ask(one, question(request));
    engine.next().say("x").finish();
    await(first.ended());
    List<Object> before = sql("SELECT count(*) FROM ask.conversation_assistant_turns");

    assertThatThrownBy(
            () -> ask(one, command(ANA, request, new AskCommand.NewThread(), "Another?")))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.REQUEST_CONFLICT));
    assertThat(sql("SELECT count(*) FROM ask.conversation_assistant_turns")).isEqualTo(before);
  }

  @Test
  @DisplayName("two people may use the same request id")
  void perPerson() throws Exception {
    UUID request = id();
    CollectingSink mine = ask(one, question(request));
    engine.next().say("mine").finish();
    CollectingSink theirs =
        ask(one, command(BEN, request, new AskCommand.NewThread(), "When is dinner?"));
    engine.next().say("theirs").finish();
    await(mine.ended());
    await(theirs.ended());

    assertThat(mine.text()).isEqualTo("mine");
    assertThat(theirs.text()).isEqualTo("theirs");
  }

  @Test
  @DisplayName("a thread or chat of somebody else is not there, and no half-made turn stays")
  void foreign() throws Exception {
    CollectingSink mine = ask(one, question(id()));
    engine.next().say("x").finish();
    await(mine.ended());
    UUID thread = ((AnswerEvent.Opened) mine.events.get(0)).ids().threadId();
    UUID request = id();

    for (AskCommand.Target target : List.of(
        new AskCommand.ExistingThread(thread),
        new AskCommand.ExistingThread(id()),
        new AskCommand.ChatThread(id()))) {
      assertThatThrownBy(() -> ask(one, command(BEN, request, target, "q")))
          .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
              .isEqualTo(GatewayError.Code.NOT_FOUND));
    }
    assertThat(sql("SELECT count(*) FROM ask.answer_requests WHERE request_id = '" + request + "'"))
        .containsExactly(0L);
  }

  @Test
  @DisplayName(
      "a stop reaches the node that runs the answer, and the partial text is kept and billed")
  void cancelElsewhere() throws Exception {
    UUID request = id();
    CollectingSink sink = ask(one, question(request));
    ScriptedEngine.Call call = engine.next().say("Half an ans");
    await(sink.firstText());

    assertThat(await(onLoop(() -> two.answers().cancel(ANA, request)))).isTrue();
    await(sink.ended());

    assertThat(call.cancelled).isTrue();
    assertThat(sink.end().state()).isEqualTo(TurnState.CANCELLED);
    assertThat(sink.end().usage()).isEqualTo(new Usage(100, 0, 0, 3, 0, true));
    assertThat(sql(
            "SELECT content, status FROM ask.conversation_assistant_turns WHERE role = 'assistant'"
                + " AND request_id = '"
                + request
                + "'"))
        .containsExactly("Half an ans", "cancelled");
    assertThat(await(onLoop(() -> two.answers().cancel(ANA, request)))).isFalse();
  }

  @Test
  @DisplayName(
      "an answer nobody follows any more ends after the grace; one who returns in time gets it whole")
  void grace() throws Exception {
    Node brief = Node.start("brief", config(Duration.ofSeconds(5), Duration.ofMillis(300)), true);
    UUID request = id();
    CollectingSink left = ask(brief, question(request));
    ScriptedEngine.Call call = engine.next().say("Half ");
    await(left.firstText());
    CollectingSink other = new CollectingSink();
    await(onLoop(() -> brief.answers().attach(ANA, request, other)));
    left.leave();
    other.leave();
    CollectingSink back = new CollectingSink();
    assertThat(await(onLoop(() -> brief.answers().attach(ANA, request, back)))).isTrue();
    call.say("and half.");
    await(back.firstText());
    back.leave();
    CollectingSink late = new CollectingSink();
    await(vertx.timer(400));
    assertThat(await(onLoop(() -> brief.answers().attach(ANA, request, late)))).isTrue();
    await(late.ended());

    assertThat(call.cancelled).isTrue();
    assertThat(late.end().state()).isEqualTo(TurnState.CANCELLED);
    assertThat(late.text()).startsWith("Half ");
    brief.stop();
  }

  @Test
  @DisplayName(
      "the answer of a node that died is ended elsewhere, with its text, its estimate and no hold left")
  void deadNode() throws Exception {
    // A node that begins an answer and never renews its lease is a dead node to all others.
    Node dead = Node.start("dead", config(Duration.ofMillis(600), Duration.ofMinutes(1)), false);
    UUID request = id();
    CollectingSink onDead = ask(dead, question(request));
    engine.next().say("Dinner is at [S1] ei");
    await(onDead.firstText());
    CollectingSink follower = new CollectingSink();
    await(onLoop(() -> two.answers().attach(ANA, request, follower)));
    await(follower.ended());

    assertThat(follower.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(follower.end().error().code()).isEqualTo(GatewayError.Code.INTERRUPTED);
    assertThat(follower.text()).isEqualTo("Dinner is at [S1] ei");
    assertThat(sql("SELECT status, content, error_code, jsonb_array_length(citations) FROM"
            + " ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
            + request
            + "'"))
        .containsExactly("failed", "Dinner is at [S1] ei", "interrupted", 1);
    assertThat(
            sql("SELECT count(*) FROM ask.budget_holds WHERE state = 'pending' AND request_id = '"
                + request + "'"))
        .containsExactly(0L);
    assertThat(sql("SELECT estimated, input_tokens FROM ask.ai_usage_events WHERE request_id = '"
            + request + "'"))
        .containsExactly(true, 100L);
    dead.stop();
  }

  @Test
  @DisplayName("a late owner whose lease went to another node changes nothing")
  void lateOwner() throws Exception {
    Node dead = Node.start("late", config(Duration.ofMillis(600), Duration.ofMinutes(1)), false);
    UUID request = id();
    CollectingSink onDead = ask(dead, question(request));
    ScriptedEngine.Call call = engine.next().say("early");
    await(onDead.firstText());
    CollectingSink follower = new CollectingSink();
    await(onLoop(() -> two.answers().attach(ANA, request, follower)));
    await(follower.ended());
    call.say(" and too late").finish();
    await(onDead.ended());

    assertThat(onDead.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(sql("SELECT count(*) FROM ask.ai_usage_events WHERE request_id = '" + request + "'"))
        .containsExactly(1L);
    assertThat(sql(
            "SELECT content FROM ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
                + request + "'"))
        .containsExactly("early");
    dead.stop();
  }

  @Test
  @DisplayName("without evidence the answer is fixed, calls no model and costs nothing")
  void noEvidence() {
    var usual = engine.pack;
    engine.pack = dev.askgateway.core.EvidencePack.NONE;
    try {
      CollectingSink sink = ask(one, question(id()));
      await(sink.ended());

      assertThat(sink.text()).isEqualTo(AnswerRun.NO_EVIDENCE);
      assertThat(sink.end().provider()).isEqualTo("deterministic");
      assertThat(sink.end().model()).isEqualTo("none");
      assertThat(sink.end().usage()).isEqualTo(Usage.NONE);
      assertThat(engine.calls).hasValue(0);
    } finally {
      engine.pack = usual;
    }
  }

  @Test
  @DisplayName(
      "a provider that breaks after text leaves a failed turn with the partial text, billed")
  void truncated() throws Exception {
    UUID request = id();
    CollectingSink sink = ask(one, question(request));
    engine
        .next()
        .say("The meeting is on ")
        .fail(new GatewayError(GatewayError.Code.PROVIDER_TRUNCATED, "cut"));
    await(sink.ended());

    assertThat(sink.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(sink.end().finishReason()).isEqualTo(FinishReason.ERROR);
    assertThat(sink.text()).containsOnlyOnce("The meeting is on");
    assertThat(sink.end().usage().estimated()).isTrue();
    assertThat(sink.end().costMicroUsd()).isPositive();
  }

  @Test
  @DisplayName("a clean but empty answer is an answer: a notice, and the input is billed once")
  void empty() throws Exception {
    CollectingSink sink = ask(one, question(id()));
    engine.next().meter(new Usage(12, 0, 0, 0, 0, false)).finish();
    await(sink.ended());

    assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED);
    assertThat(sink.text()).isEqualTo(AnswerRun.NO_TEXT);
    assertThat(sink.end().costMicroUsd()).isEqualTo(12);
  }

  @Test
  @DisplayName("parallel questions never hold more than the allowance")
  void allowance() throws Exception {
    UserId poor = new UserId("poor");
    sqlUpdate(
        "INSERT INTO ask.budget_accounts (user_id, allowance_micro_usd) VALUES ('poor', 2500)");
    List<Future<Boolean>> tried = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Node node = i % 2 == 0 ? one : two;
      AskCommand command = command(poor, id(), new AskCommand.NewThread(), "q");
      tried.add(onLoop(() -> node.answers()
          .ask(command, new CollectingSink())
          .map(true)
          .recover(refused -> refused instanceof GatewayError known
                  && known.code() == GatewayError.Code.BUDGET_EXHAUSTED
              ? Future.succeededFuture(false)
              : Future.failedFuture(refused))));
    }
    await(Future.all(tried));

    assertThat(tried.stream().filter(Future::result)).hasSize(2);
    assertThat(sql("SELECT count(*) FROM ask.answer_requests WHERE user_id = 'poor'"))
        .containsExactly(2L);
  }

  @Test
  @DisplayName("with the assistant off for the account nothing is asked or written")
  void off() {
    sqlUpdate(
        "INSERT INTO ask.user_preferences (user_id, preferences) VALUES ('shy', '{\"ai_enabled\": false}')");

    assertThatThrownBy(
            () -> ask(one, command(new UserId("shy"), id(), new AskCommand.NewThread(), "q")))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.AI_DISABLED));
    assertThat(sql("SELECT count(*) FROM ask.conversation_assistant_threads WHERE user_id = 'shy'"))
        .containsExactly(0L);
  }

  @Test
  @DisplayName("an app's own key names the same thread each time")
  void clientThread() throws Exception {
    CollectingSink first =
        ask(one, command(ANA, id(), new AskCommand.ClientThread("chat-1"), "First?"));
    engine.next().say("one").finish();
    await(first.ended());
    CollectingSink second =
        ask(two, command(ANA, id(), new AskCommand.ClientThread("chat-1"), "Second?"));
    engine.next().say("two").finish();
    await(second.ended());

    AnswerEvent.Opened a = (AnswerEvent.Opened) first.events.get(0);
    AnswerEvent.Opened b = (AnswerEvent.Opened) second.events.get(0);
    assertThat(b.ids().threadId()).isEqualTo(a.ids().threadId());
    assertThat(a.newThread()).isTrue();
    assertThat(b.newThread()).isFalse();
    assertThat(second.end().thread().getString("title")).isEqualTo("First?");
  }

  @Test
  @DisplayName(
      "a conversation deleted while it is answered gets nothing written back, yet is settled")
  void deletedMeanwhile() throws Exception {
    UUID request = id();
    CollectingSink sink = ask(one, question(request));
    ScriptedEngine.Call call = engine.next().say("secret");
    UUID thread = ((AnswerEvent.Opened) sink.events.get(0)).ids().threadId();
    sqlUpdate("DELETE FROM ask.conversation_assistant_threads WHERE id = '" + thread + "'");
    call.finish();
    await(sink.ended());

    assertThat(sql(
            "SELECT count(*) FROM ask.conversation_assistant_turns WHERE content LIKE '%secret%'"))
        .containsExactly(0L);
    assertThat(sql("SELECT state FROM ask.budget_holds WHERE request_id = '" + request + "'"))
        .containsExactly("posted");
    assertThatThrownBy(() -> ask(two, question(request)))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.NOT_FOUND));
  }

  @Test
  @DisplayName("a search is answered and paid but kept in no thread")
  void search() throws Exception {
    UUID request = id();
    CollectingSink sink = ask(one, command(ANA, request, new AskCommand.Search(), "dinner"));
    engine.next().say("Eight [S1].").finish();
    await(sink.ended());

    assertThat(sink.text()).isEqualTo("Eight [S1].");
    assertThat(sink.end().thread()).isNull();
    assertThat(sql("SELECT count(*) FROM ask.conversation_assistant_turns WHERE request_id = '"
            + request + "'"))
        .containsExactly(0L);
    assertThat(sql("SELECT feature FROM ask.ai_usage_events WHERE request_id = '" + request + "'"))
        .containsExactly("search");
  }

  @Test
  @DisplayName("while Redis is away answers run, and other nodes follow them over the stored turn")
  void withoutRedis() throws Exception {
    DevServices.shared().stopRedis();
    try {
      UUID request = id();
      CollectingSink here = ask(one, question(request));
      ScriptedEngine.Call call = engine.next().say("Eight ");
      CollectingSink there = new CollectingSink();
      assertThat(await(onLoop(() -> two.answers().attach(ANA, request, there)))).isTrue();
      call.say("[S1].").finish();
      await(here.ended());
      await(there.ended());

      assertThat(here.end().state()).isEqualTo(TurnState.COMPLETED);
      assertThat(there.text()).isEqualTo("Eight [S1].");
      assertThat(there.end().state()).isEqualTo(TurnState.COMPLETED);
    } finally {
      DevServices.shared().startRedis();
    }
  }
}
