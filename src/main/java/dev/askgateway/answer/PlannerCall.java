package dev.askgateway.answer;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.Committed;
import dev.askgateway.provider.gate.FailoverGate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one call for the plan of a question, on its answer's loop: its text collected to its end, its tokens
 * told, and whatever comes of it, a plan.
 */
final class PlannerCall implements Engine.Planning, AttemptListener {
  private final QueryPlan compiled;
  private final Function<String, Optional<QueryPlan>> reading;
  private final int mostChars;
  private final Engine.Listener listener;
  private final Promise<Engine.Resolved> resolved = Promise.promise();
  private final StringBuilder text = new StringBuilder();

  /** No tools were offered: a call of one is no plan. One that was cut short does not read as one. */
  private final Tally tally = new Tally(() -> {});

  private FailoverGate.@Nullable Run run;
  private @Nullable Committed chosen;
  private Bill.@Nullable Call lost;
  private long readChars;
  private boolean over;

  /**
   * @param reading the plan that an answer makes, empty when it makes none
   * @param mostChars of an answer; a longer one is none
   */
  PlannerCall(
      QueryPlan compiled,
      Function<String, Optional<QueryPlan>> reading,
      int mostChars,
      Engine.Listener listener) {
    this.compiled = compiled;
    this.reading = reading;
    this.mostChars = mostChars;
    this.listener = listener;
  }

  /** The schema of a request as its model reads it. */
  static String schema(ModelRequest request) {
    ModelRequest.Format format = request.format();
    return format == null || format.schema() == null ? "" : format.schema().encode();
  }

  /** Nobody is asked. */
  void tooLong() {
    end(PlannerOutcome.TOO_LONG, compiled);
  }

  /** @param gate starts the call, whose attempts the given listener hears of */
  void start(ModelRequest request, Function<AttemptListener, FailoverGate.Run> gate) {
    if (over) {
      return; // stopped while its tokens were counted
    }
    readChars = request.chars() + schema(request).length();
    try {
      FailoverGate.Run started = gate.apply(this);
      run = started;
      started.committed().onComplete(this::drain, this::broken);
    } catch (RuntimeException unexpected) {
      broken(unexpected);
    }
  }

  private void drain(Committed won) {
    if (over) {
      return;
    }
    chosen = won;
    won.stream().exceptionHandler(this::broken);
    won.stream().endHandler(ended -> read());
    won.stream().handler(event -> {
      if (!over) {
        event.match(tally);
        if (event instanceof TokenEvent.Text piece) {
          text(won, piece.delta());
        }
      }
    });
    won.stream().resume();
  }

  private void text(Committed won, String delta) {
    text.append(delta);
    if (text.length() > mostChars) {
      won.stream().cancel();
      told(null);
      end(PlannerOutcome.INVALID, compiled);
    }
  }

  private void read() {
    if (!over) {
      Optional<QueryPlan> plan = reading.apply(text.toString());
      told(null);
      end(plan.isPresent() ? PlannerOutcome.USED : PlannerOutcome.INVALID, plan.orElse(compiled));
    }
  }

  private void broken(Throwable cause) {
    if (!over) {
      Code code = Failures.code(cause);
      told(code);
      end(code == Code.PROVIDER_TIMEOUT ? PlannerOutcome.TIMEOUT : PlannerOutcome.FAILED, compiled);
    }
  }

  private void end(PlannerOutcome outcome, QueryPlan plan) {
    over = true;
    resolved.tryComplete(new Engine.Resolved(plan, outcome));
  }

  private void told(@Nullable Code code) {
    Bill.Call call = call();
    if (call != null) {
      listener.planned(call.provider(), code);
    }
  }

  @Override
  public Future<Engine.Resolved> resolved() {
    return resolved.future();
  }

  @Override
  public Bill.@Nullable Call call() {
    Committed won = chosen;
    if (won == null) {
      return lost;
    }
    return new Bill.Call(won.provider().name(), won.provider().model(), tally.usage(readChars));
  }

  @Override
  public void cancel() {
    if (!over) {
      over = true; // first: what is stopped now calls back
      if (run != null) {
        run.cancel();
      }
      told(Code.CANCELLED);
      end(PlannerOutcome.STOPPED, compiled);
    }
  }

  @Override
  public void started(Attempt attempt) {
    listener.counted().started(attempt);
  }

  @Override
  public void firstOutput(Attempt attempt, long nanos) {
    listener.counted().firstOutput(attempt, nanos);
  }

  @Override
  public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
    listener.counted().failed(attempt, error, spent, nanos);
    lost = new Bill.Call(attempt.provider().name(), attempt.provider().model(), spent);
  }

  @Override
  public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
    listener.counted().ended(attempt, failure, used, nanos);
  }
}
