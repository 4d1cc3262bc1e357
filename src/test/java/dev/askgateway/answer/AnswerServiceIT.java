package dev.askgateway.answer;

import static dev.askgateway.answer.AnswerBench.ANA;
import static dev.askgateway.answer.AnswerBench.await;
import static dev.askgateway.answer.AnswerBench.command;
import static dev.askgateway.answer.AnswerBench.config;
import static dev.askgateway.answer.AnswerBench.question;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The life of answers over a real PostgreSQL and Redis, on two nodes. */
class AnswerServiceIT {
  private static final UserId BEN = new UserId("ben");

  private static AnswerBench bench;
  private static ScriptedEngine engine;
  private static AnswerBench.Node one;
  private static AnswerBench.Node two;

  @BeforeAll
  static void start() {
    bench = new AnswerBench("answers");
    engine = bench.engine;
    AnswerConfig usual = config(Duration.ofSeconds(5), Duration.ofMinutes(1));
    one = bench.node("one", usual);
    two = bench.node("two", usual);
  }

  @AfterAll
  static void stop() {
    bench.close();
  }

  @BeforeEach
  void reset() {
    engine.calls.set(0);
    engine.waiting.clear();
  }

  @Test
  @DisplayName(
      "what was shown is what is stored, with the cited sources only, settled before the end is told")
  void completed() throws Exception {
    UUID request = bench.id();
    CollectingSink sink = bench.ask(one, question(request));
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
    assertThat(bench.sql(
            "SELECT content, status, jsonb_array_length(citations), citations->0->>'label', provider"
                + " FROM ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
                + request
                + "'"))
        .containsExactly("Dinner is at eight [S1]. Not.", "completed", 1, "S1", "scripted");
    assertThat(bench.sql(
            "SELECT state, amount_micro_usd, settled_micro_usd FROM ask.budget_holds WHERE request_id = '"
                + request
                + "'"))
        .containsExactly("posted", 1000L, 200L);
    assertThat(bench.sql("SELECT kind, state, postpaid, held, revenue, provider, cost, absorbed"
            + " FROM ask.ledger_transfers WHERE '"
            + request
            + "' = ANY (requests) ORDER BY id"))
        .containsExactly(
            "reservation",
            "pending",
            -1000L,
            1000L,
            0L,
            0L,
            0L,
            0L,
            "settlement",
            "posted",
            800L,
            -1000L,
            200L,
            200L,
            -200L,
            0L);
    assertThat(bench.sql(
            "SELECT estimated, provider_cost_micro_usd, price_book_version FROM ask.ai_usage_events"
                + " WHERE request_id = '"
                + request
                + "'"))
        .containsExactly(false, 200L, "test-book");
  }

  @Test
  @DisplayName("the sources part that names a mark goes out just before the text that holds it")
  void revealed() throws Exception {
    CollectingSink sink = bench.ask(one, question(bench.id()));
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
    UUID request = bench.id();
    List<CollectingSink> sinks = new ArrayList<>();
    List<Future<Void>> asked = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      CollectingSink sink = new CollectingSink();
      sinks.add(sink);
      AnswerBench.Node node = i % 2 == 0 ? one : two;
      asked.add(bench.onLoop(() -> node.answers().ask(question(request), sink)));
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
    UUID request = bench.id();
    CollectingSink first = bench.ask(one, question(request));
    engine.next().say("Eight [S1].").finish();
    await(first.ended());
    CollectingSink again = bench.ask(two, question(request));
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
    UUID request = bench.id();
    CollectingSink first = bench.ask(one, question(request));
    engine.next().say("x").finish();
    await(first.ended());
    List<Object> before = bench.sql("SELECT count(*) FROM ask.conversation_assistant_turns");

    assertThatThrownBy(
            () -> bench.ask(one, command(ANA, request, new AskCommand.NewThread(), "Another?")))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.REQUEST_CONFLICT));
    assertThat(bench.sql("SELECT count(*) FROM ask.conversation_assistant_turns"))
        .isEqualTo(before);
  }

  @Test
  @DisplayName("two people may use the same request id")
  void perPerson() throws Exception {
    UUID request = bench.id();
    CollectingSink mine = bench.ask(one, question(request));
    engine.next().say("mine").finish();
    CollectingSink theirs =
        bench.ask(one, command(BEN, request, new AskCommand.NewThread(), "When is dinner?"));
    engine.next().say("theirs").finish();
    await(mine.ended());
    await(theirs.ended());

    assertThat(mine.text()).isEqualTo("mine");
    assertThat(theirs.text()).isEqualTo("theirs");
  }

  @Test
  @DisplayName("a thread or chat of somebody else is not there, and no half-made turn stays")
  void foreign() throws Exception {
    CollectingSink mine = bench.ask(one, question(bench.id()));
    engine.next().say("x").finish();
    await(mine.ended());
    UUID thread = ((AnswerEvent.Opened) mine.events.get(0)).ids().threadId();
    UUID request = bench.id();

    for (AskCommand.Target target : List.of(
        new AskCommand.ExistingThread(thread),
        new AskCommand.ExistingThread(bench.id()),
        new AskCommand.ChatThread(bench.id()))) {
      assertThatThrownBy(() -> bench.ask(one, command(BEN, request, target, "q")))
          .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
              .isEqualTo(GatewayError.Code.NOT_FOUND));
    }
    assertThat(bench.sql(
            "SELECT count(*) FROM ask.answer_requests WHERE request_id = '" + request + "'"))
        .containsExactly(0L);
  }

  @Test
  @DisplayName(
      "a stop reaches the node that runs the answer, and the partial text is kept and billed")
  void cancelElsewhere() throws Exception {
    UUID request = bench.id();
    CollectingSink sink = bench.ask(one, question(request));
    ScriptedEngine.Call call = engine.next().say("Half an ans");
    await(sink.firstText());

    assertThat(await(bench.onLoop(() -> two.answers().cancel(ANA, request)))).isTrue();
    await(sink.ended());

    assertThat(call.cancelled).isTrue();
    assertThat(sink.end().state()).isEqualTo(TurnState.CANCELLED);
    assertThat(sink.end().usage()).isEqualTo(new Usage(100, 0, 0, 3, 0, true));
    assertThat(bench.sql(
            "SELECT content, status FROM ask.conversation_assistant_turns WHERE role = 'assistant'"
                + " AND request_id = '"
                + request
                + "'"))
        .containsExactly("Half an ans", "cancelled");
    assertThat(await(bench.onLoop(() -> two.answers().cancel(ANA, request)))).isFalse();
  }

  @Test
  @DisplayName(
      "an answer nobody follows any more ends after the grace; one who returns in time gets it whole")
  void grace() throws Exception {
    AnswerBench.Node brief =
        bench.node("brief", config(Duration.ofSeconds(5), Duration.ofMillis(300)));
    UUID request = bench.id();
    CollectingSink left = bench.ask(brief, question(request));
    ScriptedEngine.Call call = engine.next().say("Half ");
    await(left.firstText());
    CollectingSink other = new CollectingSink();
    await(bench.onLoop(() -> brief.answers().attach(ANA, request, other)));
    left.leave();
    other.leave();
    CollectingSink back = new CollectingSink();
    assertThat(await(bench.onLoop(() -> brief.answers().attach(ANA, request, back))))
        .isTrue();
    call.say("and half.");
    await(back.firstText());
    back.leave();
    CollectingSink late = new CollectingSink();
    await(bench.vertx.timer(400));
    assertThat(await(bench.onLoop(() -> brief.answers().attach(ANA, request, late))))
        .isTrue();
    await(late.ended());

    assertThat(call.cancelled).isTrue();
    assertThat(late.end().state()).isEqualTo(TurnState.CANCELLED);
    assertThat(late.text()).startsWith("Half ");
  }

  @Test
  @DisplayName(
      "the answer of a node that died is ended elsewhere, with its text, its estimate and no hold left")
  void deadNode() throws Exception {
    // A node that begins an answer and never renews its lease is a dead node to all others.
    AnswerBench.Node dead =
        bench.dead("dead", config(Duration.ofMillis(600), Duration.ofMinutes(1)));
    UUID request = bench.id();
    CollectingSink onDead = bench.ask(dead, question(request));
    engine.next().say("Dinner is at [S1] ei");
    await(onDead.firstText());
    CollectingSink follower = new CollectingSink();
    await(bench.onLoop(() -> two.answers().attach(ANA, request, follower)));
    await(follower.ended());

    assertThat(follower.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(follower.end().error().code()).isEqualTo(GatewayError.Code.INTERRUPTED);
    assertThat(follower.text()).isEqualTo("Dinner is at [S1] ei");
    assertThat(bench.sql("SELECT status, content, error_code, jsonb_array_length(citations) FROM"
            + " ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
            + request
            + "'"))
        .containsExactly("failed", "Dinner is at [S1] ei", "interrupted", 1);
    assertThat(bench.sql(
            "SELECT count(*) FROM ask.budget_holds WHERE state = 'pending' AND request_id = '"
                + request + "'"))
        .containsExactly(0L);
    assertThat(
            bench.sql("SELECT estimated, input_tokens FROM ask.ai_usage_events WHERE request_id = '"
                + request + "'"))
        .containsExactly(true, 100L);
  }

  @Test
  @DisplayName("a late owner whose lease went to another node changes nothing")
  void lateOwner() throws Exception {
    AnswerBench.Node dead =
        bench.dead("late", config(Duration.ofMillis(600), Duration.ofMinutes(1)));
    UUID request = bench.id();
    CollectingSink onDead = bench.ask(dead, question(request));
    ScriptedEngine.Call call = engine.next().say("early");
    await(onDead.firstText());
    CollectingSink follower = new CollectingSink();
    await(bench.onLoop(() -> two.answers().attach(ANA, request, follower)));
    await(follower.ended());
    call.say(" and too late").finish();
    await(onDead.ended());

    assertThat(onDead.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(bench.sql(
            "SELECT count(*) FROM ask.ai_usage_events WHERE request_id = '" + request + "'"))
        .containsExactly(1L);
    assertThat(bench.sql(
            "SELECT content FROM ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
                + request + "'"))
        .containsExactly("early");
  }

  @Test
  @DisplayName("without evidence the answer is fixed, calls no model and costs nothing")
  void noEvidence() {
    var usual = engine.pack;
    engine.pack = dev.askgateway.core.EvidencePack.NONE;
    try {
      CollectingSink sink = bench.ask(one, question(bench.id()));
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
    UUID request = bench.id();
    CollectingSink sink = bench.ask(one, question(request));
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
    CollectingSink sink = bench.ask(one, question(bench.id()));
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
    bench.sqlUpdate(
        "INSERT INTO ask.budget_accounts (user_id, allowance_micro_usd) VALUES ('poor', 2500)");
    List<Future<Boolean>> tried = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      AnswerBench.Node node = i % 2 == 0 ? one : two;
      AskCommand command = command(poor, bench.id(), new AskCommand.NewThread(), "q");
      tried.add(bench.onLoop(() -> node.answers()
          .ask(command, new CollectingSink())
          .map(true)
          .recover(refused -> refused instanceof GatewayError known
                  && known.code() == GatewayError.Code.BUDGET_EXHAUSTED
              ? Future.succeededFuture(false)
              : Future.failedFuture(refused))));
    }
    await(Future.all(tried));

    assertThat(tried.stream().filter(Future::result)).hasSize(2);
    assertThat(bench.sql("SELECT count(*) FROM ask.answer_requests WHERE user_id = 'poor'"))
        .containsExactly(2L);
  }

  @Test
  @DisplayName("with the assistant off for the account nothing is asked or written")
  void off() {
    bench.sqlUpdate(
        "INSERT INTO ask.user_preferences (user_id, preferences) VALUES ('shy', '{\"ai_enabled\": false}')");

    assertThatThrownBy(() ->
            bench.ask(one, command(new UserId("shy"), bench.id(), new AskCommand.NewThread(), "q")))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.AI_DISABLED));
    assertThat(bench.sql(
            "SELECT count(*) FROM ask.conversation_assistant_threads WHERE user_id = 'shy'"))
        .containsExactly(0L);
  }

  @Test
  @DisplayName("an app's own key names the same thread each time")
  void clientThread() throws Exception {
    CollectingSink first =
        bench.ask(one, command(ANA, bench.id(), new AskCommand.ClientThread("chat-1"), "First?"));
    engine.next().say("one").finish();
    await(first.ended());
    CollectingSink second =
        bench.ask(two, command(ANA, bench.id(), new AskCommand.ClientThread("chat-1"), "Second?"));
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
    UUID request = bench.id();
    CollectingSink sink = bench.ask(one, question(request));
    ScriptedEngine.Call call = engine.next().say("secret");
    UUID thread = ((AnswerEvent.Opened) sink.events.get(0)).ids().threadId();
    bench.sqlUpdate("DELETE FROM ask.conversation_assistant_threads WHERE id = '" + thread + "'");
    call.finish();
    await(sink.ended());

    assertThat(bench.sql(
            "SELECT count(*) FROM ask.conversation_assistant_turns WHERE content LIKE '%secret%'"))
        .containsExactly(0L);
    assertThat(bench.sql("SELECT state FROM ask.budget_holds WHERE request_id = '" + request + "'"))
        .containsExactly("posted");
    assertThatThrownBy(() -> bench.ask(two, question(request)))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.NOT_FOUND));
  }

  @Test
  @DisplayName("a search is answered and paid but kept in no thread")
  void search() throws Exception {
    UUID request = bench.id();
    CollectingSink sink = bench.ask(one, command(ANA, request, new AskCommand.Search(), "dinner"));
    engine.next().say("Eight [S1].").finish();
    await(sink.ended());

    assertThat(sink.text()).isEqualTo("Eight [S1].");
    assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED);
    assertThat(sink.end().error()).isNull();
    assertThat(sink.end().thread()).isNull();
    assertThat(
            bench.sql("SELECT count(*) FROM ask.conversation_assistant_turns WHERE request_id = '"
                + request + "'"))
        .containsExactly(0L);
    assertThat(bench.sql(
            "SELECT feature FROM ask.ai_usage_events WHERE request_id = '" + request + "'"))
        .containsExactly("search");
  }

  @Test
  @DisplayName("while Redis is away answers run, and other nodes follow them over the stored turn")
  void withoutRedis() throws Exception {
    DevServices.shared().stopRedis();
    try {
      UUID request = bench.id();
      CollectingSink here = bench.ask(one, question(request));
      ScriptedEngine.Call call = engine.next().say("Eight ");
      CollectingSink there = new CollectingSink();
      assertThat(await(bench.onLoop(() -> two.answers().attach(ANA, request, there))))
          .isTrue();
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
