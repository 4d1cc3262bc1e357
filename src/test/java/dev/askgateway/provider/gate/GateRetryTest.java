package dev.askgateway.provider.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class GateRetryTest {
  private Vertx vertx;
  private GateBench bench;

  @BeforeEach
  void build(Vertx vertx) {
    this.vertx = vertx;
    this.bench = new GateBench(vertx);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"UNAVAILABLE", "PROTOCOL", "TRUNCATED"})
  @DisplayName("once every model has failed in passing, they are asked again within the budget")
  void repeats(Kind kind) {
    SteppedProvider first = new SteppedProvider("p1", call -> call.refuse(kind));
    SteppedProvider second =
        new SteppedProvider("p2", call -> call.breakOff(kind), call -> call.answer("ok"));
    assertThat(bench.ask(GateBench.text(4, first, second)).text()).isEqualTo("ok");
    assertThat(bench.heard)
        .containsExactly(
            "start 1 p1",
            "fail 1 p1 " + kind,
            "start 2 p2",
            "fail 2 p2 " + kind,
            "start 3 p1",
            "fail 3 p1 " + kind,
            "start 4 p2",
            "output 4 p2",
            "end 4 p2");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  @DisplayName("there is one budget of attempts for all models and repeats together")
  void budget(int attempts) {
    SteppedProvider first = new SteppedProvider("p1", call -> call.refuse(Kind.UNAVAILABLE));
    SteppedProvider second = new SteppedProvider("p2", call -> call.refuse(Kind.UNAVAILABLE));
    Transcript transcript = bench.ask(GateBench.text(attempts, first, second));
    assertThat(transcript.failure().code()).isEqualTo(Code.PROVIDER_FAILED);
    assertThat(first.calls().size() + second.calls().size()).isEqualTo(attempts);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"ACCOUNT", "REFUSED", "REFUSED_LATE", "TOO_LARGE", "RATE_LIMITED"})
  @DisplayName("what no wait will cure is not asked again; a 429 that names no wait neither")
  void notRepeated(Kind kind) {
    SteppedProvider only = new SteppedProvider("p1", call -> call.refuse(kind));
    assertThat(bench.ask(GateBench.text(5, only)).failure().code()).isEqualTo(kind.code());
    assertThat(only.calls()).hasSize(1);
  }

  @Test
  @DisplayName("a first output that came too late is not waited for again, a connection is")
  void timeouts() {
    SteppedProvider slow = new SteppedProvider("p1", call -> call.say());
    SteppedProvider unreachable = new SteppedProvider(
        "p2", call -> call.refuse(Kind.TIMEOUT), call -> call.answer("connected"));
    Duration second = Duration.ofSeconds(20);
    Deadlines deadlines =
        new Deadlines(second, second, Duration.ofMillis(50), second, Duration.ofSeconds(20));
    Plan plan = GateBench.plan(deadlines, Plan.Commit.TEXT, 9, slow, unreachable);
    assertThat(bench.ask(plan).text()).isEqualTo("connected");
    assertThat(slow.calls()).hasSize(1);
    assertThat(slow.calls().get(0).cancelled()).isTrue();
  }

  @Test
  @DisplayName("a model that asked for a wait is not asked again before it is over")
  void retryAfter() {
    GatewayError wait = ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofMillis(150));
    SteppedProvider only =
        new SteppedProvider("p1", call -> call.refuse(wait), call -> call.answer("ok"));
    assertThat(bench.ask(GateBench.text(2, only)).text()).isEqualTo("ok");
    long between = only.calls().get(1).atNanos() - only.calls().get(0).atNanos();
    assertThat(Duration.ofNanos(between)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
  }

  @ParameterizedTest
  @ValueSource(longs = {11_000, 60_000, 9_000_000_000_000_000L})
  @DisplayName("a wait beyond the cap is told to the client instead of being waited for (B35)")
  void longRetryAfter(long millis) {
    GatewayError wait = ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofMillis(millis));
    SteppedProvider only = new SteppedProvider("p1", call -> call.refuse(wait));
    GatewayError failure = bench.ask(GateBench.text(5, only)).failure();
    assertThat(failure.code()).isEqualTo(Code.NO_PROVIDER);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofMillis(millis));
    assertThat(only.calls()).hasSize(1);
  }

  @Test
  @DisplayName("a wait that does not fit into what is left of the total is not begun")
  void waitBeyondTotal() {
    Duration second = Duration.ofSeconds(1);
    GatewayError wait = ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofSeconds(5));
    SteppedProvider only = new SteppedProvider("p1", call -> call.refuse(wait));
    Plan plan = GateBench.plan(
        new Deadlines(second, second, second, second, second), Plan.Commit.TEXT, 5, only);
    assertThat(bench.ask(plan).failure().retryAfter()).isEqualTo(Duration.ofSeconds(5));
    assertThat(only.calls()).hasSize(1);
  }

  @Test
  @DisplayName(
      "a client that leaves while the gate waits to repeat is the end: nobody is asked (B95)")
  void leavesWhileWaiting() {
    GatewayError wait = ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofMillis(100));
    SteppedProvider only = new SteppedProvider("p1", call -> call.refuse(wait));
    Promise<Void> later = Promise.promise();
    Transcript transcript = Wait.onLoop(vertx, () -> {
      FailoverGate.Run run = bench.start(GateBench.text(5, only));
      vertx.setTimer(20, fired -> run.cancel());
      vertx.setTimer(300, fired -> later.complete());
      return GateBench.read(run);
    });
    assertThat(transcript.failure().code()).isEqualTo(Code.CANCELLED);
    Wait.on(later.future());
    assertThat(only.calls()).hasSize(1);
  }

  @Test
  @DisplayName("a 200 with nothing in it is a failure like any other: the next model answers (B33)")
  void nothingAtAll() {
    SteppedProvider hollow = new SteppedProvider("p1", call -> call.breakOff(Kind.PROTOCOL));
    SteppedProvider next = new SteppedProvider("p2", call -> call.answer("ok"));
    assertThat(bench.ask(GateBench.text(2, hollow, next)).text()).isEqualTo("ok");
  }

  @Test
  @DisplayName("when every model is thought to be down nobody is asked, and the client told when")
  void allDown() {
    SteppedProvider provider = new SteppedProvider("p1", call -> call.answer("no"));
    Candidate down = new Refusing(provider, Duration.ofSeconds(9));
    Candidate longer = new Refusing(provider, Duration.ofSeconds(40));
    Plan plan = new Plan(
        "test",
        List.of(longer, down),
        Plan.Commit.TEXT,
        GateBench.SLOW,
        3,
        Duration.ZERO,
        () -> false);
    GatewayError failure = bench.ask(plan).failure();
    assertThat(failure.code()).isEqualTo(Code.NO_PROVIDER);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(9));
    assertThat(provider.calls()).isEmpty();
  }

  @Test
  @DisplayName("waits double up to their bound, and are spread over all of their length")
  void backoff() {
    Backoff backoff = new Backoff(
        Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(10), new Random(1));
    for (int repeat = 0; repeat < 80; repeat++) {
      Duration most = Duration.ofMillis(Math.min(2_000, 100L << Math.min(repeat, 10)));
      Duration least = most;
      Duration longest = Duration.ZERO;
      for (int i = 0; i < 200; i++) {
        Duration delay = backoff.delay(repeat);
        least = delay.compareTo(least) < 0 ? delay : least;
        longest = delay.compareTo(longest) > 0 ? delay : longest;
      }
      assertThat(longest).isBetween(most.multipliedBy(8).dividedBy(10), most);
      assertThat(least).isBetween(Duration.ZERO, most.dividedBy(5));
    }
  }

  @Test
  @DisplayName("an attempt that is stopped while it opens never becomes a stream")
  void stoppedWhileOpening() {
    SteppedProvider slow = new SteppedProvider("p1", call -> {});
    Wait.onLoop(vertx, () -> {
      FailoverGate.Run run = bench.start(GateBench.text(3, slow));
      run.cancel();
      slow.calls().get(0).say(new TokenEvent.Text("late"));
      return Future.succeededFuture();
    });
    assertThat(slow.calls().get(0).cancelled()).isTrue();
    assertThat(bench.heard).containsExactly("start 1 p1", "fail 1 p1 cancelled");
  }

  @Test
  @DisplayName("a listener that stops the run as an attempt begins spares the call (B95)")
  void stoppedByListener() {
    SteppedProvider never = new SteppedProvider("p1", call -> call.answer("no"));
    FailoverGate.Run[] run = new FailoverGate.Run[1];
    AttemptListener stopping = new AttemptListener() {
      @Override
      public void started(Attempt attempt) {
        if (attempt.number() == 2) {
          run[0].cancel();
        }
      }
    };
    Transcript transcript = Wait.onLoop(vertx, () -> {
      Promise<Void> begun = Promise.promise();
      SteppedProvider waiting = new SteppedProvider(
          "p0", call -> begun.future().onSuccess(now -> call.refuse(Kind.UNAVAILABLE)));
      run[0] = new FailoverGate(vertx)
          .start(Prompts.request(), GateBench.text(3, waiting, never), stopping);
      begun.complete();
      return GateBench.read(run[0]);
    });
    assertThat(transcript.failure().code()).isEqualTo(Code.CANCELLED);
    assertThat(never.calls()).isEmpty();
  }

  /** Lets nobody in. */
  private record Refusing(SteppedProvider provider, Duration refusedFor) implements Candidate {
    @Override
    public Permit admit() {
      return null;
    }
  }
}
