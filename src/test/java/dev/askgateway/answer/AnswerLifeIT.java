package dev.askgateway.answer;

import static dev.askgateway.answer.AnswerBench.ANA;
import static dev.askgateway.answer.AnswerBench.await;
import static dev.askgateway.answer.AnswerBench.command;
import static dev.askgateway.answer.AnswerBench.question;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.vertx.core.Future;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Readers that come and go, nodes that come and go, and questions that meet. */
class AnswerLifeIT {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static AnswerBench bench;
  private static AnswerBench.Node one;
  private static AnswerBench.Node two;
  private static AnswerBench.Node brief;
  private static AnswerBench.Node strict;
  private static AnswerBench.Node pack;

  @BeforeAll
  static void start() {
    bench = new AnswerBench("life");
    one = bench.node("one", AnswerBench.config(Duration.ofSeconds(5), LONG));
    two = bench.node("two", AnswerBench.config(Duration.ofSeconds(5), Duration.ofMillis(450)));
    brief = bench.node("brief", AnswerBench.config(Duration.ofSeconds(5), Duration.ofMillis(450)));
    strict = bench.node("strict", AnswerBench.config(Duration.ofSeconds(5), Duration.ZERO));
    pack = bench.node(
        "pack",
        new AnswerConfig(
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            LONG,
            1000,
            6,
            AnswerConfig.Reveal.PACK));
  }

  @AfterAll
  static void stop() {
    bench.close();
  }

  @BeforeEach
  void reset() {
    bench.engine.calls.set(0);
    bench.engine.waiting.clear();
  }

  @Test
  @DisplayName("a client that was gone before its turn began leaves no answer running for nobody")
  void goneBeforeBegin() throws Exception {
    UUID request = bench.id();
    CollectingSink gone = new CollectingSink() {
      @Override
      public void closeHandler(Runnable handler) {
        handler.run();
      }
    };
    await(bench.onLoop(() -> strict.answers().ask(question(request), gone)));
    bench.until(() -> !bench.hold(request).equals("pending"));

    assertThat(bench.turn(request, "status")).containsExactly("cancelled");
  }

  @Test
  @DisplayName("who comes back on another node within the grace keeps the answer running")
  void backElsewhere() throws Exception {
    UUID request = bench.id();
    CollectingSink left = bench.ask(brief, question(request));
    ScriptedEngine.Call call = bench.engine.next().say("Half ");
    await(left.firstText());
    left.leave();
    CollectingSink back = bench.attach(two, request);
    await(back.firstText());
    await(bench.vertx.timer(1_000)); // more than two graces
    call.say("and half.").finish();
    await(back.ended());

    assertThat(call.cancelled).isFalse();
    assertThat(back.end().state()).isEqualTo(TurnState.COMPLETED);
    assertThat(back.text()).isEqualTo("Half and half.");

    UUID other = bench.id();
    CollectingSink first = bench.ask(brief, question(other));
    bench.engine.next().say("Half ");
    await(first.firstText());
    first.leave();
    CollectingSink second = bench.attach(two, other);
    await(second.firstText());
    second.leave();
    bench.until(() -> bench.turn(other, "status").equals(List.of("cancelled")));
  }

  @Test
  @DisplayName(
      "an answer longer than its lease stays its node's, and a repeat in the middle joins it")
  void longerThanLease() throws Exception {
    AnswerBench.Node renews =
        bench.node("renews", AnswerBench.config(Duration.ofMillis(1500), LONG));
    UUID request = bench.id();
    CollectingSink sink = bench.ask(renews, question(request));
    ScriptedEngine.Call call = bench.engine.next().say("Half ");
    await(sink.firstText());
    await(bench.vertx.timer(2_200));
    CollectingSink repeat = bench.ask(two, question(request));
    await(repeat.firstText());
    call.say("and half.").finish();
    await(sink.ended());
    await(repeat.ended());
    CollectingSink third = bench.ask(one, question(request));
    await(third.ended());

    assertThat(bench.engine.calls).hasValue(1);
    assertThat(List.of(sink, repeat, third)).allSatisfy(reader -> {
      assertThat(reader.text()).isEqualTo("Half and half.");
      assertThat(reader.end().state()).isEqualTo(TurnState.COMPLETED);
    });
    assertThat(bench.usage(request, "count(*)")).containsExactly(1L);
  }

  @Test
  @DisplayName(
      "a node whose leases cannot be renewed stops showing before others may end its answers")
  void cannotRenew() throws Exception {
    AnswerBench.Node cut = bench.node("cut", AnswerBench.config(Duration.ofMillis(900), LONG));
    UUID request = bench.id();
    CollectingSink sink = bench.ask(cut, question(request));
    ScriptedEngine.Call call = bench.engine.next().say("shown");
    await(sink.firstText());
    await(cut.database().close());
    bench.until(() -> call.cancelled);
    call.say(" never shown");
    await(sink.ended());
    bench.until(() -> !bench.hold(request).equals("pending"));

    assertThat(sink.text()).isEqualTo("shown");
    assertThat(sink.end().error().code()).isEqualTo(GatewayError.Code.INTERRUPTED);
    assertThat(bench.turn(request, "status, content, error_code"))
        .containsExactly("failed", "shown", "interrupted");
  }

  @Test
  @DisplayName(
      "who lost the turn to a node that has not ended it yet tells interrupted, and stores nothing")
  void takenOver() throws Exception {
    UUID request = bench.id();
    CollectingSink sink = bench.ask(one, question(request));
    ScriptedEngine.Call call = bench.engine.next().say("Half");
    await(sink.firstText());
    bench.sqlUpdate("UPDATE ask.answer_requests SET lease_node = 'other', lease_until = now() +"
        + " interval '1 hour' WHERE request_id = '" + request + "'");
    call.finish();
    await(sink.ended());

    assertThat(sink.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(sink.end().error().code()).isEqualTo(GatewayError.Code.INTERRUPTED);
    assertThat(bench.hold(request)).isEqualTo("pending");
    assertThat(bench.usage(request, "count(*)")).containsExactly(0L);
  }

  @Test
  @DisplayName("a stop and a closed tab in the middle both keep the partial text as cancelled")
  void partialKept() throws Exception {
    UUID stopped = bench.id();
    CollectingSink stop = bench.ask(brief, question(stopped));
    bench.engine.next().say("d1 ", "d2 ", "d3 ", "d4 ", "d5 ", "d6 ", "d7");
    bench.until(() -> stop.text().endsWith("d7"));
    assertThat(await(bench.onLoop(() -> brief.answers().cancel(ANA, stopped)))).isTrue();
    await(stop.ended());
    UUID closed = bench.id();
    CollectingSink tab = bench.ask(brief, question(closed));
    bench.engine.next().say("d1 ", "d2 ", "d3 ", "d4 ", "d5 ", "d6 ", "d7");
    bench.until(() -> tab.text().endsWith("d7"));
    tab.leave();
    bench.until(() -> !bench.hold(closed).equals("pending"));

    for (UUID request : List.of(stopped, closed)) {
      assertThat(bench.turn(request, "status, content"))
          .containsExactly("cancelled", "d1 d2 d3 d4 d5 d6 d7");
      assertThat(bench.hold(request)).isEqualTo("posted");
    }
  }

  @Test
  @DisplayName(
      "with Redis flushed the race for one id is decided in the database: one call, no failure")
  void flushed() throws Exception {
    await(bench.redis().check());
    UUID request = bench.id();
    List<CollectingSink> sinks = new ArrayList<>();
    List<Future<Void>> asked = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      CollectingSink sink = new CollectingSink();
      sinks.add(sink);
      AnswerBench.Node node = i % 2 == 0 ? one : two;
      asked.add(bench.onLoop(() -> node.answers().ask(question(request), sink)));
    }
    await(Future.all(asked));
    ScriptedEngine.Call call = bench.engine.next().say("Eight ");
    bench.until(() -> sinks.stream().allMatch(sink -> sink.text().startsWith("Eight")));
    FlushRedis.all(bench.vertx);
    call.say("[S1].").finish();
    for (CollectingSink sink : sinks) {
      await(sink.ended());
    }

    assertThat(bench.engine.calls).hasValue(1);
    assertThat(sinks).allSatisfy(sink -> {
      assertThat(sink.text()).isEqualTo("Eight [S1].");
      assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED);
    });
  }

  @Test
  @DisplayName("where the whole pack is shown first, only cited sources remain, shown and stored")
  void packNarrows() throws Exception {
    UUID request = bench.id();
    CollectingSink sink = bench.ask(pack, question(request));
    bench.engine.next().say("Eight [S2].").finish();
    await(sink.ended());

    List<Integer> sizes = sink.events.stream()
        .filter(AnswerEvent.Sources.class::isInstance)
        .map(event -> ((AnswerEvent.Sources) event).citations().size())
        .toList();
    assertThat(sizes).containsExactly(2, 1);
    assertThat(bench.turn(request, "jsonb_array_length(citations), citations->0->>'label'"))
        .containsExactly(1, "S2");
  }

  @Test
  @DisplayName(
      "an answer stops at its longest length, between characters, and is complete by length")
  void longest() throws Exception {
    CollectingSink sink = bench.ask(pack, question(bench.id()));
    ScriptedEngine.Call call = bench.engine.next().say("x".repeat(999) + "🙂 and more [S1]");
    await(sink.ended());

    assertThat(call.cancelled).isTrue();
    assertThat(sink.text()).isEqualTo("x".repeat(999));
    assertThat(sink.end().finishReason().wire()).isEqualTo("length");
  }

  @Test
  @DisplayName("a thread that is deleted while a question to it begins is not found, not a failure")
  void deletedAtBegin() throws Exception {
    CollectingSink first = bench.ask(one, question(bench.id()));
    bench.engine.next().say("x").finish();
    await(first.ended());
    UUID thread = ((AnswerEvent.Opened) first.events.get(0)).ids().threadId();
    UUID request = bench.id();
    Future<Void> asked;
    try (Connection deleting = bench.owner()) {
      deleting.setAutoCommit(false);
      deleting
          .createStatement()
          .executeUpdate(
              "DELETE FROM ask.conversation_assistant_threads WHERE id = '" + thread + "'");
      asked = bench.onLoop(() -> one.answers()
          .ask(command(request, new AskCommand.ExistingThread(thread), "q"), new CollectingSink()));
      bench.until(() -> bench
          .sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
          .equals(List.of(1L)));
      deleting.commit();
    }

    Future<Void> refused = asked;
    assertThatThrownBy(() -> await(refused))
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.NOT_FOUND));
    assertThat(bench.sql(
            "SELECT count(*) FROM ask.answer_requests WHERE request_id = '" + request + "'"))
        .containsExactly(0L);
  }

  @Test
  @DisplayName("many questions to one new thread at once all land in it and none waits in a circle")
  void parallelTurns() throws Exception {
    List<CollectingSink> sinks = new ArrayList<>();
    List<Future<Void>> asked = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      CollectingSink sink = new CollectingSink();
      sinks.add(sink);
      AnswerBench.Node node = i % 2 == 0 ? one : two;
      AskCommand command = command(bench.id(), new AskCommand.ClientThread("both"), "q" + i);
      asked.add(bench.onLoop(() -> node.answers().ask(command, sink)));
    }
    for (int i = 0; i < 30; i++) {
      bench.engine.next().say("x").meter(new Usage(1, 0, 0, 1, 0, false)).finish();
    }
    await(Future.all(asked));
    for (CollectingSink sink : sinks) {
      await(sink.ended());
    }

    assertThat(sinks)
        .allSatisfy(sink -> assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED));
    assertThat(bench.sql("SELECT count(DISTINCT thread_id), count(*) FROM"
            + " ask.conversation_assistant_turns WHERE thread_id = (SELECT id FROM"
            + " ask.conversation_assistant_threads WHERE client_key = 'both')"))
        .containsExactly(1L, 60L);
  }

  @Test
  @DisplayName("a title is the question's first 72 characters in one line, and never blank")
  void titles() {
    assertThat(bench.sql("SELECT ask.thread_title(q) FROM (VALUES (1, '  two\n lines '), (2,"
            + " repeat('a', 71) || '🙂🙂'), (3, U&'\\200B'), (4, repeat('a', 71) || U&'\\200Dz'))"
            + " AS v(n, q) ORDER BY n"))
        .containsExactly("two lines", "a".repeat(71) + "🙂", "New conversation", "a".repeat(71));
  }

  @Test
  @DisplayName("a log that lost its beginning is not taken for the answer")
  void lostBeginning() throws Exception {
    EventLog<AnswerEvent> log = RedisEventLog.ofTurns(bench.redis());
    UUID turn = bench.id();
    await(log.append(ANA, turn, 7, List.of(new AnswerEvent.Text("the middle"))));

    assertThat(await(log.read(ANA, turn, 0)))
        .satisfies(batch -> assertThat(batch.events()).isEmpty())
        .satisfies(batch -> assertThat(batch.gap()).isTrue());
    assertThat(await(log.read(ANA, turn, 7)).events())
        .containsExactly(new AnswerEvent.Text("the middle"));
  }

  @Test
  @DisplayName("an append that is repeated because its reply was lost is there once")
  void repeatedAppend() throws Exception {
    EventLog<AnswerEvent> log = RedisEventLog.ofTurns(bench.redis());
    UUID turn = bench.id();
    List<AnswerEvent> two = List.of(new AnswerEvent.TextStarted(), new AnswerEvent.Text("once"));
    await(log.append(ANA, turn, 0, two));
    await(log.append(ANA, turn, 0, two));
    await(log.append(ANA, turn, 2, List.of(SampleEvents.completed())));

    assertThat(await(LogTail.whole(log, ANA, turn)))
        .containsExactly(two.get(0), two.get(1), SampleEvents.completed());
  }
}
