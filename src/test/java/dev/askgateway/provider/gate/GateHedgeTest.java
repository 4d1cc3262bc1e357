package dev.askgateway.provider.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class GateHedgeTest {
  private static final Plan.Hedging ALWAYS = () -> true;

  private Vertx vertx;
  private GateBench bench;

  @BeforeEach
  void build(Vertx vertx) {
    this.vertx = vertx;
    this.bench = new GateBench(vertx);
  }

  @Test
  @DisplayName("a second model that is faster wins; the first is stopped, and what it used told")
  void hedgeWins() {
    TokenEvent used = new TokenEvent.Metered(new Usage(9, 0, 0, 0, 0, false));
    SteppedProvider slow = new SteppedProvider("p1", call -> call.say(used));
    SteppedProvider quick = new SteppedProvider("p2", call -> call.answer("ok"));
    assertThat(bench.ask(GateBench.hedged(2, ALWAYS, slow, quick)).text()).isEqualTo("ok");
    assertThat(slow.calls().get(0).cancelled()).isTrue();
    assertThat(bench.heard)
        .containsExactly(
            "start 1 p1", "start 2h p2", "output 2h p2", "fail 1 p1 cancelled", "end 2h p2");
    assertThat(bench.spent).containsExactly(new Usage(9, 0, 0, 0, 0, false));
  }

  @Test
  @DisplayName("a loser that delivered nothing counts for its input at most (B93)")
  void firstWins() {
    SteppedProvider late =
        new SteppedProvider("p1", call -> vertx.setTimer(150, fired -> call.answer("first")));
    SteppedProvider silent = new SteppedProvider("p2", call -> call.say());
    assertThat(bench.ask(GateBench.hedged(2, ALWAYS, late, silent)).text()).isEqualTo("first");
    assertThat(silent.calls().get(0).cancelled()).isTrue();
    assertThat(bench.heard)
        .containsExactly(
            "start 1 p1", "start 2h p2", "output 1 p1", "fail 2h p2 cancelled", "end 1 p1");
    assertThat(bench.spent).containsExactly(new Usage(4, 0, 0, 0, 0, true));
  }

  @Test
  @DisplayName("when one of the two fails the other goes on alone")
  void oneFails() {
    SteppedProvider late =
        new SteppedProvider("p1", call -> vertx.setTimer(150, fired -> call.answer("first")));
    SteppedProvider broken = new SteppedProvider("p2", call -> call.refuse(Kind.UNAVAILABLE));
    SteppedProvider third = new SteppedProvider("p3", call -> call.answer("third"));
    assertThat(bench.ask(GateBench.hedged(3, ALWAYS, late, broken, third)).text())
        .isEqualTo("first");
    assertThat(third.calls()).isEmpty();
  }

  @Test
  @DisplayName("when both fail the next model is asked, and there is no second hedge")
  void bothFail() {
    SteppedProvider first = new SteppedProvider(
        "p1", call -> vertx.setTimer(80, fired -> call.refuse(Kind.UNAVAILABLE)));
    SteppedProvider second = new SteppedProvider("p2", call -> call.refuse(Kind.UNAVAILABLE));
    SteppedProvider third =
        new SteppedProvider("p3", call -> vertx.setTimer(100, fired -> call.answer("third")));
    SteppedProvider fourth = new SteppedProvider("p4", call -> call.answer("no"));
    assertThat(
            bench.ask(GateBench.hedged(9, ALWAYS, first, second, third, fourth)).text())
        .isEqualTo("third");
    assertThat(fourth.calls()).isEmpty();
  }

  @Test
  @DisplayName("no second model beyond the share, the budget, or the last candidate")
  void notHedged() {
    for (Plan plan : new Plan[] {
      GateBench.hedged(2, () -> false, late("p1"), quick("p2")),
      GateBench.hedged(1, ALWAYS, late("p1"), quick("p2")),
      GateBench.hedged(3, ALWAYS, late("p1"))
    }) {
      bench.heard.clear();
      assertThat(bench.ask(plan).text()).isEqualTo("late");
      assertThat(bench.heard).containsExactly("start 1 p1", "output 1 p1", "end 1 p1");
    }
  }

  private SteppedProvider late(String name) {
    return new SteppedProvider(name, call -> vertx.setTimer(120, fired -> call.answer("late")));
  }

  private static SteppedProvider quick(String name) {
    return new SteppedProvider(name, call -> call.answer("quick"));
  }

  @Test
  @DisplayName("a client that leaves stops both, once each (B93)")
  void clientLeaves() {
    SteppedProvider one = new SteppedProvider("p1", call -> call.say());
    SteppedProvider two = new SteppedProvider("p2", call -> call.say());
    Transcript transcript = Wait.onLoop(vertx, () -> {
      FailoverGate.Run run = bench.start(GateBench.hedged(4, ALWAYS, one, two));
      vertx.setPeriodic(5, tick -> {
        if (!two.calls().isEmpty()) {
          vertx.cancelTimer(tick);
          run.cancel();
          run.cancel();
        }
      });
      return GateBench.read(run);
    });
    assertThat(transcript.failure().code()).isEqualTo(Code.CANCELLED);
    assertThat(one.calls().get(0).cancelled()).isTrue();
    assertThat(two.calls().get(0).cancelled()).isTrue();
    assertThat(bench.heard)
        .containsExactly(
            "start 1 p1", "start 2h p2", "fail 1 p1 cancelled", "fail 2h p2 cancelled");
  }

  @Test
  @DisplayName("a hedge's refusal of the request itself is final, yet its rival may still answer")
  void refusedHedge() {
    SteppedProvider refusing = new SteppedProvider("p2", call -> call.refuse(Kind.REFUSED));
    SteppedProvider third = quick("p3");
    assertThat(
            bench.ask(GateBench.hedged(9, ALWAYS, late("p1"), refusing, third)).text())
        .isEqualTo("late");
    assertThat(third.calls()).isEmpty();
  }
}
