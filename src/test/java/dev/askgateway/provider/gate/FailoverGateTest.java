package dev.askgateway.provider.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class FailoverGateTest {
  private static final TokenEvent STOP = new TokenEvent.Finished(FinishReason.STOP);
  private static final TokenEvent METERED = new TokenEvent.Metered(new Usage(9, 0, 0, 1, 0, false));
  private static final Deadlines SLOW = limits(30_000, 30_000, 60_000);

  /** What the listener heard, one word for each call. */
  private final List<String> heard = new ArrayList<>();

  private final List<Usage> spent = new ArrayList<>();

  private final AttemptListener listener = new AttemptListener() {
    @Override
    public void started(Attempt attempt) {
      heard.add("start " + attempt.provider().name());
    }

    @Override
    public void failed(Attempt attempt, GatewayError error, Usage usage, long nanos) {
      heard.add("fail " + attempt.provider().name() + " " + error.code().wire());
      spent.add(usage);
    }

    @Override
    public void firstOutput(Attempt attempt, long nanos) {
      heard.add("delta " + attempt.provider().name());
    }
  };

  private static Deadlines limits(long firstDelta, long stall, long total) {
    return new Deadlines(
        Duration.ofMillis(1),
        Duration.ofMillis(1),
        Duration.ofMillis(firstDelta),
        Duration.ofMillis(stall),
        Duration.ofMillis(total));
  }

  private static Future<Void> refusing(Kind kind) {
    return Future.failedFuture(ProviderFailure.error(kind, "test"));
  }

  /** Runs the gate and reads the chosen stream; a failure before the commit has no provider. */
  private Outcome ask(Vertx vertx, Deadlines deadlines, ModelProvider... candidates) {
    return Wait.onLoop(vertx, () -> new FailoverGate(vertx)
        .start(Prompts.request(), Plan.of(deadlines, Arrays.asList(candidates)), listener)
        .committed()
        .compose(committed -> Transcript.of(committed.stream())
            .map(transcript -> new Outcome(committed.provider(), transcript)))
        .otherwise(cause -> new Outcome(null, new Transcript(List.of(), (GatewayError) cause))));
  }

  private record Outcome(ModelProvider provider, Transcript transcript) {
    private Code code() {
      assertThat(transcript.failure()).isNotNull();
      return transcript.failure().code();
    }
  }

  @Test
  @DisplayName("the first provider that gives text answers, and its events come whole and in order")
  void firstAnswers(Vertx vertx) {
    FakeProvider first = FakeProvider.saying("p1", pump -> {
      pump.offer(new TokenEvent.Reasoning("h"));
      pump.offer(new TokenEvent.Reasoning("m"));
      FakeProvider.text(pump, "a", "b");
      pump.offer(METERED);
      pump.offer(STOP);
      pump.end();
    });
    FakeProvider second = FakeProvider.saying("p2", pump -> {});
    Outcome outcome = ask(vertx, SLOW, first, second);
    assertThat(outcome.provider()).isSameAs(first);
    assertThat(outcome.transcript().failure()).isNull();
    assertThat(outcome.transcript().events())
        .containsExactly(
            new TokenEvent.Reasoning("hm"),
            new TokenEvent.Text("a"),
            new TokenEvent.Text("b"),
            METERED,
            STOP);
    assertThat(second.opens()).isZero();
    assertThat(heard).containsExactly("start p1", "delta p1");
  }

  @Test
  @DisplayName(
      "failures before the first text are never seen: the next provider answers (B19, B27)")
  void failsOver(Vertx vertx) {
    FakeProvider refused = FakeProvider.opening("p1", refusing(Kind.UNAVAILABLE));
    FakeProvider broken = FakeProvider.saying("p2", pump -> {
      pump.offer(new TokenEvent.Reasoning("hidden"));
      pump.offer(METERED);
      pump.fail(ProviderFailure.error(Kind.TRUNCATED, "test"));
    });
    FakeProvider good = FakeProvider.saying("p3", pump -> {
      FakeProvider.text(pump, "ok");
      pump.end();
    });
    Outcome outcome = ask(vertx, SLOW, refused, broken, good);
    assertThat(outcome.transcript().events()).containsExactly(new TokenEvent.Text("ok"));
    assertThat(heard)
        .containsExactly(
            "start p1",
            "fail p1 provider_failed",
            "start p2",
            "fail p2 provider_truncated",
            "start p3",
            "delta p3");
    assertThat(spent).containsExactly(Usage.NONE, new Usage(9, 0, 0, 1, 0, false));
  }

  @Test
  @DisplayName(
      "an attempt that gives no text in time is cancelled and replaced, and its cost estimated (B23)")
  void firstDeltaDeadline(Vertx vertx) {
    FakeProvider stuck =
        FakeProvider.saying("p1", pump -> pump.offer(new TokenEvent.Reasoning("12345678")));
    FakeProvider good = FakeProvider.saying("p2", pump -> {
      FakeProvider.text(pump, "ok");
      pump.end();
    });
    Outcome outcome = ask(vertx, limits(100, 100, 20_000), stuck, good);
    assertThat(outcome.transcript().text()).isEqualTo("ok");
    assertThat(stuck.cancelled()).isTrue();
    assertThat(heard).contains("fail p1 provider_timeout");
    assertThat(spent).containsExactly(new Usage(4, 0, 0, 2, 0, true));
  }

  @Test
  @DisplayName("one deadline covers opening too, and a stream that opens late is cancelled (B25)")
  void openingCounts(Vertx vertx) {
    Promise<Void> late = Promise.promise();
    FakeProvider slow = FakeProvider.opening("p1", late.future());
    FakeProvider good = FakeProvider.saying("p2", pump -> {
      FakeProvider.text(pump, "ok");
      pump.end();
    });
    assertThat(ask(vertx, limits(100, 100, 20_000), slow, good).transcript().text())
        .isEqualTo("ok");
    late.complete();
    assertThat(slow.cancelled()).isTrue();
  }

  @Test
  @DisplayName("the last candidate may use what is left of the total, and no more")
  void lastUsesTotal(Vertx vertx) {
    FakeProvider slow = FakeProvider.saying(
        "p1",
        pump -> vertx.setTimer(300, fired -> {
          FakeProvider.text(pump, "late");
          pump.end();
        }));
    assertThat(ask(vertx, limits(50, 50, 20_000), slow).transcript().text()).isEqualTo("late");
    FakeProvider never = FakeProvider.saying("p2", pump -> {});
    assertThat(ask(vertx, limits(50, 50, 200), never).code()).isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(never.cancelled()).isTrue();
  }

  @Test
  @DisplayName("once the total is used up no further candidate is tried")
  void totalUsedUp(Vertx vertx) {
    FakeProvider first = FakeProvider.saying("p1", pump -> {});
    FakeProvider second = FakeProvider.saying("p2", pump -> {});
    assertThat(ask(vertx, limits(200, 200, 200), first, second).code())
        .isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(second.opens()).isZero();
  }

  @Test
  @DisplayName(
      "an empty clean end, with a filter too, is an answer: nobody else is paid (B27, B49)")
  void emptyAnswer(Vertx vertx) {
    TokenEvent filtered = new TokenEvent.Finished(FinishReason.CONTENT_FILTER);
    FakeProvider empty = FakeProvider.saying("p1", pump -> {
      pump.offer(METERED);
      pump.offer(filtered);
      pump.end();
    });
    FakeProvider second = FakeProvider.saying("p2", pump -> {});
    Outcome outcome = ask(vertx, SLOW, empty, second);
    assertThat(outcome.transcript().failure()).isNull();
    assertThat(outcome.transcript().events()).containsExactly(METERED, filtered);
    assertThat(second.opens()).isZero();
    assertThat(heard).containsExactly("start p1");
  }

  @Test
  @DisplayName("a failure after the first text ends the answer; nobody else continues it (B31)")
  void noSwitchAfterText(Vertx vertx) {
    FakeProvider breaks = FakeProvider.saying("p1", pump -> {
      FakeProvider.text(pump, "The meeting is on ");
      pump.fail(ProviderFailure.error(Kind.TRUNCATED, "test"));
    });
    FakeProvider second = FakeProvider.saying("p2", pump -> FakeProvider.text(pump, "no"));
    Outcome outcome = ask(vertx, SLOW, breaks, second);
    assertThat(outcome.transcript().text()).isEqualTo("The meeting is on ");
    assertThat(outcome.code()).isEqualTo(Code.PROVIDER_TRUNCATED);
    assertThat(second.opens()).isZero();
  }

  @Test
  @DisplayName("silence after the first text ends the answer at the stall limit (B29)")
  void stall(Vertx vertx) {
    FakeProvider hangs = FakeProvider.saying("p1", pump -> FakeProvider.text(pump, "a"));
    Outcome outcome = ask(vertx, limits(150, 150, 20_000), hangs);
    assertThat(outcome.transcript().text()).isEqualTo("a");
    assertThat(outcome.code()).isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(hangs.cancelled()).isTrue();
  }

  @Test
  @DisplayName("usage alone does not reset the stall clock, reasoning does")
  void onlyContentResets(Vertx vertx) {
    FakeProvider chatty = FakeProvider.saying("p1", pump -> {
      FakeProvider.text(pump, "a");
      vertx.setPeriodic(20, tick -> pump.offer(METERED));
    });
    assertThat(ask(vertx, limits(200, 200, 20_000), chatty).code())
        .isEqualTo(Code.PROVIDER_TIMEOUT);
    FakeProvider thinking = FakeProvider.saying("p2", pump -> {
      FakeProvider.text(pump, "a");
      int[] ticks = {0};
      vertx.setPeriodic(50, tick -> {
        pump.offer(new TokenEvent.Reasoning("hm"));
        if (++ticks[0] == 12) {
          vertx.cancelTimer(tick);
          pump.end();
        }
      });
    });
    assertThat(ask(vertx, limits(400, 400, 20_000), thinking).transcript().failure())
        .isNull();
  }

  @Test
  @DisplayName("a reader's pause is not upstream's silence, but the total still runs")
  void readerPause(Vertx vertx) {
    FakeProvider quick = FakeProvider.saying("p1", pump -> FakeProvider.text(pump, "a"));
    Transcript transcript = Wait.onLoop(vertx, () -> new FailoverGate(vertx)
        .start(Prompts.request(), Plan.of(limits(50, 50, 400), List.of(quick)), listener)
        .committed()
        .compose(committed -> {
          Promise<Transcript> read = Promise.promise();
          vertx.setTimer(250, fired -> {
            quick.pump().offer(new TokenEvent.Text("b"));
            Transcript.of(committed.stream()).onComplete(read);
            quick.pump().end();
          });
          return read.future();
        }));
    assertThat(transcript.text()).isEqualTo("ab");
    assertThat(transcript.failure()).isNull();

    FakeProvider endless = FakeProvider.saying("p2", pump -> FakeProvider.text(pump, "a"));
    Transcript late = Wait.onLoop(vertx, () -> new FailoverGate(vertx)
        .start(Prompts.request(), Plan.of(limits(50, 50, 150), List.of(endless)), listener)
        .committed()
        .compose(committed -> {
          Promise<Transcript> read = Promise.promise();
          vertx.setTimer(400, fired -> Transcript.of(committed.stream()).onComplete(read));
          return read.future();
        }));
    assertThat(late.text()).isEqualTo("a");
    assertThat(late.failure().code()).isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(endless.cancelled()).isTrue();
  }

  @Test
  @DisplayName("the chosen stream holds upstream back until the reader asks")
  void heldUntilAsked(Vertx vertx) {
    FakeProvider provider = FakeProvider.saying("p1", pump -> FakeProvider.text(pump, "a", "b"));
    boolean[] held = new boolean[2];
    Wait.onLoop(vertx, () -> new FailoverGate(vertx)
        .start(Prompts.request(), Plan.of(SLOW, List.of(provider)), listener)
        .committed()
        .map(committed -> {
          List<TokenEvent> events = new ArrayList<>();
          committed.stream().handler(events::add).fetch(1);
          held[0] = events.size() == 1;
          committed.stream().fetch(1);
          held[1] = events.size() == 2;
          committed.stream().cancel();
          return null;
        }));
    assertThat(held).containsExactly(true, true);
    assertThat(provider.cancelled()).isTrue();
  }

  @Test
  @DisplayName("when all fail the most telling cause is told, with the shortest wait")
  void verdicts(Vertx vertx) {
    Function<Kind, FakeProvider> failing = kind -> FakeProvider.opening("p", refusing(kind));
    assertThat(ask(vertx, SLOW).code()).isEqualTo(Code.NO_PROVIDER);
    assertThat(ask(vertx, SLOW, failing.apply(Kind.ACCOUNT)).code())
        .isEqualTo(Code.PROVIDER_FAILED);
    assertThat(ask(vertx, SLOW, failing.apply(Kind.TIMEOUT), failing.apply(Kind.UNAVAILABLE))
            .code())
        .isEqualTo(Code.PROVIDER_TIMEOUT);
    FakeProvider wait7 = FakeProvider.opening(
        "p",
        Future.failedFuture(ProviderFailure.error(Kind.RATE_LIMITED, "t", Duration.ofSeconds(7))));
    FakeProvider wait3 = FakeProvider.opening(
        "p",
        Future.failedFuture(ProviderFailure.error(Kind.RATE_LIMITED, "t", Duration.ofSeconds(3))));
    Outcome limited = ask(vertx, SLOW, wait7, failing.apply(Kind.TIMEOUT), wait3);
    assertThat(limited.code()).isEqualTo(Code.NO_PROVIDER);
    assertThat(limited.transcript().failure().retryAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(ask(vertx, SLOW, wait3, failing.apply(Kind.TOO_LARGE)).code())
        .isEqualTo(Code.CONTEXT_TOO_LARGE);
  }

  @Test
  @DisplayName("a refusal up front is final; one inside the stream allows one other candidate")
  void refusals(Vertx vertx) {
    FakeProvider next = FakeProvider.opening("p2", refusing(Kind.UNAVAILABLE));
    ask(vertx, SLOW, FakeProvider.opening("p1", refusing(Kind.REFUSED)), next);
    ask(vertx, SLOW, FakeProvider.opening("p1", refusing(Kind.TOO_LARGE)), next);
    assertThat(next.opens()).isZero();
    FakeProvider third = FakeProvider.saying("p3", pump -> {});
    ask(vertx, SLOW, FakeProvider.opening("p1", refusing(Kind.REFUSED_LATE)), next, third);
    assertThat(next.opens()).isEqualTo(1);
    assertThat(third.opens()).isZero();
  }

  @Test
  @DisplayName("a provider that throws, or fails with anything, is an attempt that failed")
  void anythingThrown(Vertx vertx) {
    ModelProvider throwing = new ThrowingProvider();
    FakeProvider odd =
        FakeProvider.opening("p2", Future.failedFuture(new java.io.IOException("10.0.0.1 secret")));
    Outcome outcome = ask(vertx, SLOW, throwing, odd);
    assertThat(outcome.code()).isEqualTo(Code.PROVIDER_FAILED);
    assertThat(outcome.transcript().failure().message()
            + outcome.transcript().failure().getCause())
        .doesNotContain("secret");
  }

  @Test
  @DisplayName("a cancel before the commit stops the attempt and starts no other (B95)")
  void cancelBeforeCommit(Vertx vertx) {
    FakeProvider first = FakeProvider.saying("p1", pump -> {});
    FakeProvider second = FakeProvider.saying("p2", pump -> {});
    AtomicReference<FailoverGate.Run> run = new AtomicReference<>();
    GatewayError error = Wait.onLoop(vertx, () -> {
      run.set(new FailoverGate(vertx)
          .start(Prompts.request(), Plan.of(SLOW, List.of(first, second)), listener));
      Context loop = vertx.getOrCreateContext();
      loop.runOnContext(later -> {
        run.get().cancel();
        run.get().cancel();
        first.pump().fail(ProviderFailure.error(Kind.UNAVAILABLE, "test"));
      });
      return run.get().committed().map((GatewayError) null).otherwise(cause ->
          (GatewayError) cause);
    });
    assertThat(error.code()).isEqualTo(Code.CANCELLED);
    assertThat(first.cancelled()).isTrue();
    assertThat(second.opens()).isZero();
    assertThat(heard).containsExactly("start p1", "fail p1 cancelled");
    assertThat(spent).containsExactly(new Usage(4, 0, 0, 0, 0, true));
  }

  @Test
  @DisplayName("a cancel after the commit stops the chosen stream without a word")
  void cancelAfterCommit(Vertx vertx) {
    FakeProvider first = FakeProvider.saying("p1", pump -> FakeProvider.text(pump, "a"));
    List<Object> told = new ArrayList<>();
    Wait.onLoop(vertx, () -> {
      FailoverGate.Run run =
          new FailoverGate(vertx).start(Prompts.request(), Plan.of(SLOW, List.of(first)), listener);
      return run.committed().map(committed -> {
        committed.stream().endHandler(told::add).exceptionHandler(told::add).handler(told::add);
        run.cancel();
        committed.stream().resume();
        first.pump().end();
        return null;
      });
    });
    assertThat(first.cancelled()).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  @DisplayName("reasoning before the first text is kept only up to its bound")
  void reasoningBound(Vertx vertx) {
    String much = "x".repeat(100_000);
    FakeProvider thinker = FakeProvider.saying("p1", pump -> {
      for (int i = 0; i < 50; i++) {
        pump.offer(new TokenEvent.Reasoning(much));
      }
      FakeProvider.text(pump, "ok");
      pump.end();
    });
    Transcript transcript = ask(vertx, SLOW, thinker).transcript();
    assertThat(transcript.text()).isEqualTo("ok");
    assertThat(transcript.reasoning()).hasSize(200_000);
  }

  /** Breaks the contract in the simplest way. */
  private static final class ThrowingProvider implements ModelProvider {
    @Override
    public String name() {
      return "p1";
    }

    @Override
    public String model() {
      return "none";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<dev.askgateway.core.TokenStream> open(ModelRequest request, Deadlines deadlines) {
      throw new IllegalStateException("secret");
    }
  }
}
