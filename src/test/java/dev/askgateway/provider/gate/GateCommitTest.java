package dev.askgateway.provider.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(VertxExtension.class)
class GateCommitTest {
  private static final TokenEvent ROLE = chunk(0, 0);
  private static final TokenEvent USAGE_ONLY =
      new TokenEvent.Chunk(Buffer.buffer("{\"u\":1}"), 0, 0, true);
  private static final TokenEvent METERED =
      new TokenEvent.Metered(new Usage(12, 0, 0, 0, 0, false));
  private static final TokenEvent THOUGHT = new TokenEvent.Reasoning("hm");
  private static final TokenEvent CALL = new TokenEvent.ToolCall(0, "c1", "look", "{", "");
  private static final TokenEvent HALLO = new TokenEvent.Text("Hallo");
  private static final TokenEvent STOP = new TokenEvent.Finished(FinishReason.STOP);

  private Vertx vertx;
  private GateBench bench;

  @BeforeEach
  void build(Vertx vertx) {
    this.vertx = vertx;
    this.bench = new GateBench(vertx);
  }

  private static TokenEvent chunk(int text, int other) {
    return new TokenEvent.Chunk(
        Buffer.buffer("{\"t\":" + text + ",\"o\":" + other + "}"), text, other, false);
  }

  private static Deadlines limits(long firstDelta, long stall) {
    Duration slow = Duration.ofSeconds(20);
    return new Deadlines(slow, slow, Duration.ofMillis(firstDelta), Duration.ofMillis(stall), slow);
  }

  static Stream<TokenEvent> shownAnywhere() {
    return Stream.of(HALLO, THOUGHT, CALL, chunk(3, 0), chunk(0, 3));
  }

  static Stream<TokenEvent> notText() {
    return Stream.of(THOUGHT, CALL, chunk(0, 3), ROLE, USAGE_ONLY, METERED, STOP);
  }

  static Stream<TokenEvent> nothing() {
    return Stream.of(ROLE, USAGE_ONLY, METERED, STOP, new TokenEvent.Reasoning(""));
  }

  @ParameterizedTest
  @MethodSource("shownAnywhere")
  @DisplayName("where all output is shown, any first output makes a model final (B31)")
  void anyOutput(TokenEvent first) {
    SteppedProvider breaks = new SteppedProvider("p1", call -> {
      call.say(ROLE, first);
      call.breakOff(Kind.TRUNCATED);
    });
    SteppedProvider second = new SteppedProvider("p2", call -> call.answer("no"));
    Transcript transcript =
        bench.ask(GateBench.plan(GateBench.SLOW, Plan.Commit.ANY_OUTPUT, 3, breaks, second));
    assertThat(transcript.events()).containsExactly(ROLE, first);
    assertThat(transcript.failure().code()).isEqualTo(Code.PROVIDER_TRUNCATED);
    assertThat(second.calls()).isEmpty();
    assertThat(bench.heard).containsExactly("start 1 p1", "output 1 p1", "end 1 p1 TRUNCATED");
  }

  @ParameterizedTest
  @MethodSource("notText")
  @DisplayName("where only text is shown, nothing else makes a model final (B19, B27, B37)")
  void textOnly(TokenEvent first) {
    SteppedProvider breaks = new SteppedProvider("p1", call -> {
      call.say(first);
      call.breakOff(Kind.UNAVAILABLE);
    });
    SteppedProvider second = new SteppedProvider("p2", call -> call.answer("ok"));
    Transcript transcript = bench.ask(GateBench.text(2, breaks, second));
    assertThat(transcript.events()).containsExactly(new TokenEvent.Text("ok"));
  }

  @ParameterizedTest
  @MethodSource("nothing")
  @DisplayName("an opener that shows nothing, then silence, is replaced (B23, B27)")
  void openerThenSilence(TokenEvent opener) {
    SteppedProvider stuck = new SteppedProvider("p1", call -> call.say(opener));
    SteppedProvider second = new SteppedProvider("p2", call -> call.answer("ok"));
    Plan plan = GateBench.plan(limits(60, 60), Plan.Commit.ANY_OUTPUT, 2, stuck, second);
    assertThat(bench.ask(plan).events()).containsExactly(new TokenEvent.Text("ok"));
    assertThat(stuck.calls().get(0).cancelled()).isTrue();
  }

  @Test
  @DisplayName("what came before the first text is handed on after the commit, all of it in order")
  void heldInOrder() {
    TokenEvent later = new TokenEvent.Metered(new Usage(12, 0, 0, 5, 0, false));
    SteppedProvider provider = new SteppedProvider("p1", call -> {
      call.say(ROLE, THOUGHT, METERED, THOUGHT, CALL, later, USAGE_ONLY, HALLO, STOP);
      call.end();
    });
    assertThat(bench.ask(GateBench.text(1, provider)).events())
        .containsExactly(
            ROLE, new TokenEvent.Reasoning("hmhm"), METERED, CALL, later, USAGE_ONLY, HALLO, STOP);
  }

  @Test
  @DisplayName("an answer of nothing but tool calls is whole where only text is shown")
  void toolCallsOnly() {
    SteppedProvider provider = new SteppedProvider("p1", call -> {
      call.say(CALL, METERED, STOP);
      call.end();
    });
    Transcript transcript = bench.ask(GateBench.text(2, provider));
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.events()).containsExactly(CALL, METERED, STOP);
    assertThat(bench.heard).containsExactly("start 1 p1", "end 1 p1");
  }

  @Test
  @DisplayName("tool calls are never cut to the bound of what is held: such an attempt fails")
  void tooMuchHeld() {
    TokenEvent big = new TokenEvent.ToolCall(0, "", "", "x".repeat(100_000), "");
    SteppedProvider flood = new SteppedProvider("p1", call -> call.say(big, big, big));
    SteppedProvider second = new SteppedProvider("p2", call -> call.answer("ok"));
    assertThat(bench.ask(GateBench.text(2, flood, second)).text()).isEqualTo("ok");
    assertThat(bench.heard).contains("fail 1 p1 PROTOCOL");
    assertThat(flood.calls().get(0).cancelled()).isTrue();
  }

  @Test
  @DisplayName("tool calls and chunks with output reset the stall clock; empty chunks do not (B29)")
  void stallClock() {
    for (TokenEvent alive : List.of(CALL, chunk(0, 1), THOUGHT)) {
      SteppedProvider busy = new SteppedProvider("p1", call -> {
        call.say(HALLO);
        int[] ticks = {0};
        vertx.setPeriodic(60, tick -> {
          call.say(alive);
          if (++ticks[0] == 20) {
            vertx.cancelTimer(tick);
            call.end();
          }
        });
      });
      Plan plan = GateBench.plan(limits(1_000, 1_000), Plan.Commit.ANY_OUTPUT, 1, busy);
      assertThat(bench.ask(plan).failure()).isNull();
    }
    SteppedProvider idle = new SteppedProvider("p2", call -> {
      call.say(HALLO);
      vertx.setPeriodic(20, tick -> call.say(ROLE));
    });
    Plan plan = GateBench.plan(limits(200, 200), Plan.Commit.ANY_OUTPUT, 1, idle);
    assertThat(bench.ask(plan).failure().code()).isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(idle.calls().get(0).cancelled()).isTrue();
  }
}
