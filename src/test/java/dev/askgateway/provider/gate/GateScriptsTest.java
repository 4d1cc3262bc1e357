package dev.askgateway.provider.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests at once on one loop, their models doing anything at any time. */
@ExtendWith(VertxExtension.class)
class GateScriptsTest {
  private static final int RUNS = 1_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @DisplayName(
      "whatever models do, a request has one outcome, one model's text, and a bounded bill")
  void oneOfEverything(long seed, Vertx vertx) {
    Random random = new Random(seed);
    List<Request> requests = Wait.onLoop(vertx, () -> {
      List<Request> all = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        all.add(new Request(vertx, new Random(random.nextLong())));
      }
      return Future.all(all.stream().map(Request::run).toList()).map(all);
    });
    assertThat(requests).hasSize(RUNS).allSatisfy(Request::check);
    assertThat(requests).anyMatch(request -> request.hedges > 0);
    assertThat(requests).anyMatch(request -> request.repeated);
    assertThat(requests).anyMatch(request -> request.outcomes.contains("end"));
    assertThat(requests).anyMatch(request -> request.outcomes.contains("cancelled"));
  }

  /** One request over models that follow no script but their dice. */
  private static final class Request implements AttemptListener {
    private final Vertx vertx;
    private final Random random;
    private final List<Counted> candidates = new ArrayList<>();
    private final List<String> outcomes = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final Promise<Void> done = Promise.promise();
    private final int budget;
    private int started;
    private int over;
    private int hedges;
    private boolean repeated;
    private boolean left;
    private int startedAfterLeaving;

    Request(Vertx vertx, Random random) {
      this.vertx = vertx;
      this.random = random;
      this.budget = 1 + random.nextInt(6);
      int models = 1 + random.nextInt(4);
      for (int i = 0; i < models; i++) {
        String mark = String.valueOf((char) ('a' + i));
        candidates.add(new Counted(new SteppedProvider(mark, call -> play(call, mark)), random));
      }
    }

    private Future<Void> run() {
      Duration slow = Duration.ofMillis(150);
      Plan plan = new Plan(
          "test",
          List.copyOf(candidates),
          random.nextBoolean() ? Plan.Commit.TEXT : Plan.Commit.ANY_OUTPUT,
          new Deadlines(slow, slow, Duration.ofMillis(20), slow, Duration.ofMillis(400)),
          budget,
          random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(1 + random.nextInt(10)),
          () -> random.nextInt(4) > 0);
      Backoff backoff =
          new Backoff(Duration.ofMillis(2), Duration.ofMillis(8), Duration.ofMillis(30), random);
      FailoverGate.Run run = new FailoverGate(vertx, backoff).start(Prompts.request(), plan, this);
      run.committed().onComplete(chosen -> {
        if (chosen.failed()) {
          tell(((GatewayError) chosen.cause()).code().wire());
        } else {
          read(chosen.result());
        }
      });
      if (random.nextInt(5) == 0) {
        vertx.setTimer(1 + random.nextInt(30), fired -> {
          left = true;
          run.cancel();
          tellIfSilent();
        });
      }
      return done.future();
    }

    private void read(Committed committed) {
      committed.stream()
          .exceptionHandler(error -> tell(((GatewayError) error).code().wire()))
          .endHandler(ended -> tell("end"))
          .handler(event -> {
            if (event instanceof TokenEvent.Text piece) {
              text.append(piece.delta());
            }
          })
          .resume();
    }

    /** A stream that was chosen and then cancelled says nothing more. */
    private void tellIfSilent() {
      if (outcomes.isEmpty()) {
        tell("stopped");
      }
    }

    private void tell(String outcome) {
      outcomes.add(outcome);
      // A moment longer: nothing may follow.
      vertx.setTimer(60, fired -> done.tryComplete());
    }

    private void play(SteppedProvider.Call call, String mark) {
      switch (random.nextInt(6)) {
        case 0 -> later(() -> call.refuse(failure()));
        case 1 -> call.refuse(failure());
        case 2 -> {} // silence
        default -> later(() -> speak(call, mark, random.nextInt(6)));
      }
    }

    private void speak(SteppedProvider.Call call, String mark, int pieces) {
      if (pieces == 0) {
        if (random.nextBoolean()) {
          call.end();
        } else {
          call.breakOff(Kind.TRUNCATED);
        }
        return;
      }
      call.say(random.nextInt(3) == 0 ? new TokenEvent.Reasoning(mark) : new TokenEvent.Text(mark));
      if (random.nextBoolean()) {
        later(() -> speak(call, mark, pieces - 1));
      } else {
        speak(call, mark, pieces - 1);
      }
    }

    private GatewayError failure() {
      Kind[] kinds = Kind.values();
      Kind kind = random.nextInt(3) > 0 ? Kind.UNAVAILABLE : kinds[random.nextInt(kinds.length)];
      return kind == Kind.RATE_LIMITED
          ? ProviderFailure.error(kind, "test", Duration.ofMillis(random.nextInt(60)))
          : ProviderFailure.error(kind, "test");
    }

    private void later(Runnable action) {
      vertx.setTimer(1 + random.nextInt(12), fired -> action.run());
    }

    @Override
    public void started(Attempt attempt) {
      started++;
      hedges += attempt.hedge() ? 1 : 0;
      repeated |= attempt.number() > candidates.size();
      startedAfterLeaving += left ? 1 : 0;
    }

    @Override
    public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
      over++;
    }

    @Override
    public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
      over++;
    }

    private void check() {
      assertThat(outcomes).hasSize(1);
      assertThat(text.chars().distinct().count()).isLessThanOrEqualTo(1);
      assertThat(started).isLessThanOrEqualTo(budget);
      assertThat(over).isEqualTo(started);
      assertThat(hedges).isLessThanOrEqualTo(1);
      assertThat(startedAfterLeaving).isZero();
      int admitted = candidates.stream().mapToInt(one -> one.admitted).sum();
      int ended = candidates.stream().mapToInt(one -> one.ended).sum();
      assertThat(admitted).isEqualTo(started);
      assertThat(ended).isEqualTo(admitted);
    }
  }

  /** Counts how often it lets in and hears of an end. */
  private static final class Counted implements Candidate, Candidate.Permit {
    private final ModelProvider provider;
    private final Random random;
    private int admitted;
    private int ended;

    Counted(ModelProvider provider, Random random) {
      this.provider = provider;
      this.random = random;
    }

    @Override
    public ModelProvider provider() {
      return provider;
    }

    @Override
    public @Nullable Permit admit() {
      if (random.nextInt(10) == 0) {
        return null;
      }
      admitted++;
      return this;
    }

    @Override
    public Duration refusedFor() {
      return Duration.ZERO;
    }

    @Override
    public void firstOutput(long nanos) {}

    @Override
    public void succeeded() {
      ended++;
    }

    @Override
    public void failed(GatewayError error) {
      ended++;
    }

    @Override
    public void abandoned() {
      ended++;
    }
  }
}
