package dev.askgateway.answer;

import static dev.askgateway.answer.AnswerBench.await;
import static dev.askgateway.answer.AnswerBench.question;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.store.StoreConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who pays for what, and that it is once, whatever breaks. Scripted prices: 1 in, 2 out. */
class AnswerMoneyIT {
  private static AnswerBench bench;
  private static AnswerBench.Node node;

  @BeforeAll
  static void start() {
    bench = new AnswerBench("money");
    node = bench.node("one", AnswerBench.config(Duration.ofSeconds(5), Duration.ofMinutes(1)));
  }

  @AfterAll
  static void stop() {
    bench.close();
  }

  @BeforeEach
  void reset() {
    bench.engine.holdsBack = false;
    bench.engine.waiting.clear();
    bench.engine.embeddings = List.of();
  }

  @Test
  @DisplayName("a model that fails before its first text costs the operator, not the person")
  void refused() throws Exception {
    bench.engine.holdsBack = true;
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench
        .engine
        .asked()
        .refuse(new GatewayError(Code.PROVIDER_FAILED, "x"), new Usage(100, 0, 0, 5, 0, true));
    await(sink.ended());

    assertThat(sink.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(sink.end().error().code()).isEqualTo(Code.PROVIDER_FAILED);
    assertThat(sink.end().costMicroUsd()).isZero();
    assertThat(bench.usage(
            request,
            "billable_cost_micro_usd, provider_cost_micro_usd, failed_attempts,"
                + " failed_cost_micro_usd, status"))
        .containsExactly(0L, 0L, 1, 110L, "released");
    assertThat(bench.hold(request)).isEqualTo("voided");
  }

  @Test
  @DisplayName("the person pays the model that answered; what the one before it cost stands apart")
  void replaced() throws Exception {
    bench.engine.holdsBack = true;
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench
        .engine
        .asked()
        .replaced(Code.PROVIDER_TIMEOUT, new Usage(100, 0, 0, 0, 0, true))
        .commit()
        .say("Eight.")
        .meter(new Usage(50, 0, 0, 10, 0, false))
        .finish();
    await(sink.ended());

    assertThat(sink.end().costMicroUsd()).isEqualTo(70);
    assertThat(bench.usage(
            request,
            "billable_cost_micro_usd, provider_cost_micro_usd, failed_attempts,"
                + " failed_cost_micro_usd, input_tokens"))
        .containsExactly(70L, 70L, 1, 100L, 50L);
    assertThat(attempts(request)).containsExactly("scripted", "model", 100L, 0L, true, 100L);
  }

  @Test
  @DisplayName(
      "a question's vector is paid with its answer, as a call of its own; one that costs nothing is on no bill")
  void vector() throws Exception {
    Usage ninety = new Usage(90, 0, 0, 0, 0, false);
    Usage nine = new Usage(9, 0, 0, 0, 0, false); // below a micro-USD here: free
    bench.engine.embeddings = List.of(
        new EmbeddingUse("vectors", "scripted", "v", ninety, Duration.ZERO),
        new EmbeddingUse("vectors", "onnx", "here", nine, Duration.ZERO));
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench.engine.next().say("Eight.").meter(new Usage(50, 0, 0, 10, 0, false)).finish();
    await(sink.ended());

    assertThat(sink.end().costMicroUsd()).isEqualTo(79);
    assertThat(
            bench.usage(
                request,
                "billable_cost_micro_usd, provider_cost_micro_usd, failed_attempts, failed_cost_micro_usd"))
        .containsExactly(79L, 70L, 0, 9L);
    assertThat(bench.sql("SELECT purpose, provider, model, input_tokens, provider_cost_micro_usd"
            + " FROM ask.ai_usage_attempts WHERE request_id = '" + request + "'"))
        .containsExactly("embedding", "scripted", "v", 90L, 9L);
    assertThat(
            bench.sql("SELECT revenue, provider, cost, absorbed FROM ask.ledger_transfers WHERE '"
                + request + "' = ANY (requests) AND kind = 'settlement'"))
        .containsExactly(79L, 79L, -79L, 0L);
  }

  @Test
  @DisplayName(
      "an answer that failed without text costs the person nothing, its question's vector neither")
  void vectorOfAFailure() throws Exception {
    bench.engine.embeddings = List.of(new EmbeddingUse(
        "vectors", "scripted", "v", new Usage(90, 0, 0, 0, 0, false), Duration.ZERO));
    bench.engine.holdsBack = true;
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench.engine.asked().refuse(new GatewayError(Code.PROVIDER_FAILED, "x"), Usage.NONE);
    await(sink.ended());

    assertThat(bench.usage(request, "billable_cost_micro_usd, failed_cost_micro_usd"))
        .containsExactly(0L, 9L);
  }

  /** The calls of a request that gave nothing and used tokens all the same. */
  private static List<Object> attempts(UUID request) {
    return bench.sql("SELECT provider, model, input_tokens, output_tokens, estimated,"
        + " provider_cost_micro_usd FROM ask.ai_usage_attempts WHERE request_id = '" + request
        + "' AND price_book_version = '" + ScriptedEngine.PRICE_BOOK + "' ORDER BY attempt");
  }

  @Test
  @DisplayName(
      "each call that gave nothing is kept with its tokens: one that failed, one overtaken")
  void lostCalls() throws Exception {
    bench.engine.holdsBack = true;
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench
        .engine
        .asked()
        .replaced(Code.CANCELLED, new Usage(100, 0, 0, 3, 0, true))
        .replaced(Code.PROVIDER_TIMEOUT, new Usage(40, 0, 0, 0, 0, false))
        .replaced(Code.PROVIDER_FAILED, Usage.NONE)
        .commit()
        .say("Eight.")
        .meter(new Usage(50, 0, 0, 10, 0, false))
        .finish();
    await(sink.ended());

    assertThat(bench.usage(request, "failed_attempts, failed_cost_micro_usd"))
        .containsExactly(3, 146L);
    assertThat(attempts(request))
        .containsExactly(
            "scripted", "model", 40L, 0L, false, 40L, "scripted", "model", 100L, 3L, true, 106L);
    assertThat(bench.sql("SELECT provider, cost, absorbed FROM ask.ledger_transfers WHERE '"
            + request + "' = ANY (requests) AND kind = 'settlement'"))
        .containsExactly(216L, -70L, -146L);
  }

  @Test
  @DisplayName(
      "who stops pays the call that was stopped; the one that had failed before is kept apart")
  void stoppedAfterAFailure() throws Exception {
    bench.engine.holdsBack = true;
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench.engine.asked().replaced(Code.PROVIDER_TIMEOUT, new Usage(7, 0, 0, 0, 0, true));
    await(bench.onLoop(() -> node.answers().cancel(AnswerBench.ANA, request)));
    await(sink.ended());

    assertThat(bench.usage(
            request, "billable_cost_micro_usd, provider_cost_micro_usd, failed_cost_micro_usd"))
        .containsExactly(100L, 100L, 7L);
    assertThat(attempts(request)).containsExactly("scripted", "model", 7L, 0L, true, 7L);
  }

  @Test
  @DisplayName(
      "who stops before the first text pays what the model had accepted, and is told cancelled")
  void stoppedBeforeText() throws Exception {
    bench.engine.holdsBack = true;
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    ScriptedEngine.Call call = bench.engine.asked();
    assertThat(await(bench.onLoop(() -> node.answers().cancel(AnswerBench.ANA, request))))
        .isTrue();
    await(sink.ended());

    assertThat(call.cancelled).isTrue();
    assertThat(sink.end().state()).isEqualTo(TurnState.CANCELLED);
    assertThat(sink.end().error()).isNull();
    assertThat(bench.usage(
            request, "billable_cost_micro_usd, input_tokens, output_tokens, failed_attempts"))
        .containsExactly(100L, 100L, 0L, 0);
    assertThat(bench.turn(request, "status, content")).containsExactly("cancelled", "");
  }

  @Test
  @DisplayName("a usage beyond all reason is bounded, and the answer still ends and is settled")
  void absurdUsage() throws Exception {
    UUID request = bench.id();
    CollectingSink sink = bench.ask(node, question(request));
    bench
        .engine
        .next()
        .say("Eight.")
        .meter(new Usage(Long.MAX_VALUE, Long.MAX_VALUE, 0, Long.MAX_VALUE, 0, false))
        .finish();
    await(sink.ended());

    assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED);
    assertThat(sink.end().costMicroUsd()).isEqualTo(1000); // the hold
    assertThat(bench.hold(request)).isEqualTo("posted");
  }

  private AnswerBench.Node behind(CutProxy proxy, String name) {
    StoreConfig store = new StoreConfig(
        proxy.through(bench.store.url()),
        bench.store.migrationUrl(),
        "ask",
        "ask_gateway",
        4,
        Duration.ofMillis(500));
    return bench.node(
        name,
        AnswerBench.config(Duration.ofSeconds(5), Duration.ofMinutes(1)),
        store,
        RedisEventLog.ofTurns(bench.redis()),
        true);
  }

  @Test
  @DisplayName("when the reply of a stored end is lost, the reader is told that end, charged once")
  void lostReply() throws Exception {
    CutProxy proxy =
        await(CutProxy.start(bench.vertx, URI.create(bench.store.url()), "\"finished\": true"));
    AnswerBench.Node cut = behind(proxy, "lost-reply");
    // The statement is prepared by a first answer, so that the cut falls on the execution's reply.
    CollectingSink first = bench.ask(cut, question(bench.id()));
    bench.engine.next().say("warm").finish();
    await(first.ended());
    UUID request = bench.id();
    CollectingSink sink = bench.ask(cut, question(request));
    proxy.dropReplies(1);
    bench
        .engine
        .next()
        .say("Eight [S1].")
        .meter(new Usage(100, 0, 0, 50, 0, false))
        .finish();
    await(sink.ended());

    assertThat(proxy.dropped()).isPositive();
    assertThat(sink.end().state()).isEqualTo(TurnState.COMPLETED);
    assertThat(sink.end().costMicroUsd()).isEqualTo(200);
    assertThat(sink.end().thread()).isNotNull();
    assertThat(bench.turn(request, "status, content")).containsExactly("completed", "Eight [S1].");
    assertThat(bench.usage(request, "billable_cost_micro_usd")).containsExactly(200L);
  }

  @Test
  @DisplayName(
      "with the database away at the end the reader is told so, and just that is stored and charged when it is back")
  void awayAtTheEnd() throws Exception {
    CutProxy proxy =
        await(CutProxy.start(bench.vertx, URI.create(bench.store.url()), "\"finished\": true"));
    AnswerBench.Node cut = behind(proxy, "away");
    UUID request = bench.id();
    CollectingSink sink = bench.ask(cut, question(request));
    ScriptedEngine.Call call = bench.engine.next().say("Eight ").say("[S1].");
    await(sink.firstText());
    proxy.close();
    call.meter(new Usage(100, 0, 0, 50, 0, false)).finish();
    await(sink.ended());
    assertThat(sink.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(sink.end().error().code()).isEqualTo(Code.DEPENDENCY_UNAVAILABLE);
    proxy.open();
    bench.until(() -> !bench.hold(request).equals("pending"));
    CollectingSink again = bench.attach(node, request);
    await(again.ended());

    assertThat(again.text()).isEqualTo(sink.text()).isEqualTo("Eight [S1].");
    assertThat(again.end().state()).isEqualTo(TurnState.FAILED);
    assertThat(bench.turn(request, "status, content, error_code"))
        .containsExactly("failed", "Eight [S1].", "dependency_unavailable");
    assertThat(bench.usage(request, "billable_cost_micro_usd, estimated"))
        .containsExactly(200L, false);
    assertThat(bench.sql("SELECT kind FROM ask.ledger_transfers WHERE '" + request
            + "' = ANY (requests) ORDER BY id"))
        .containsExactly("reservation", "settlement");
  }
}
