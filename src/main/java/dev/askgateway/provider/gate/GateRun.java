package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Elsewhere;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The candidates' loop: which model is next, and what to say when none is left. */
final class GateRun implements FailoverGate.Run {
  private final Vertx vertx;
  private final Deadlines deadlines;
  private final ModelRequest request;
  private final List<Candidate> candidates;
  private final AttemptListener listener;
  private final long endNanos;
  private final Promise<Committed> committed = Promise.promise();
  private int nextCandidate;
  private boolean lastChance;
  private @Nullable GateAttempt current;
  private @Nullable GatewayError worst;

  GateRun(Vertx vertx, ModelRequest request, Plan plan, AttemptListener listener) {
    this.vertx = vertx;
    this.deadlines = plan.deadlines();
    this.request = request;
    this.candidates = plan.candidates();
    this.listener = listener;
    this.endNanos = System.nanoTime() + deadlines.total().toNanos();
  }

  @Override
  public Future<Committed> committed() {
    return committed.future();
  }

  @Override
  public void cancel() {
    if (current != null) {
      current.cancel(); // it settles nothing, so no other candidate follows
    }
    committed.tryFail(new GatewayError(Code.CANCELLED, "The answer was stopped."));
  }

  void next() {
    if (committed.future().isComplete()) {
      return; // cancelled: nobody is left to answer
    }
    if (nextCandidate == candidates.size() || remaining().toMillis() == 0) {
      committed.tryFail(verdict());
      return;
    }
    ModelProvider provider = candidates.get(nextCandidate++).provider();
    boolean last = lastChance || nextCandidate == candidates.size();
    Duration left = remaining();
    boolean shorter = !last && deadlines.firstDelta().compareTo(left) < 0;
    current =
        new GateAttempt(vertx, deadlines, request, provider, listener, this::settled, endNanos);
    current.start(shorter ? deadlines.firstDelta() : left);
  }

  private void settled(GateAttempt attempt, @Nullable GatewayError failure) {
    if (failure == null) {
      if (!committed.tryComplete(new Committed(attempt.stream(), attempt.provider()))) {
        attempt.cancel();
      }
      return;
    }
    remember(failure);
    Elsewhere elsewhere = ProviderFailure.kindOf(failure).elsewhere();
    if (elsewhere == Elsewhere.NO || lastChance) {
      committed.tryFail(verdict());
      return;
    }
    lastChance = elsewhere == Elsewhere.ONE;
    next();
  }

  /** Keeps the more telling failure; of two alike the one whose model is back first. */
  private void remember(GatewayError failure) {
    if (worst == null) {
      worst = failure;
      return;
    }
    int order = ProviderFailure.kindOf(failure).compareTo(ProviderFailure.kindOf(worst));
    if (order > 0 || (order == 0 && isSooner(failure.retryAfter(), worst.retryAfter()))) {
      worst = failure;
    }
  }

  private static boolean isSooner(@Nullable Duration wait, @Nullable Duration other) {
    return wait != null && (other == null || wait.compareTo(other) < 0);
  }

  private GatewayError verdict() {
    if (worst != null) {
      return worst;
    }
    return candidates.isEmpty()
        ? new GatewayError(Code.NO_PROVIDER, "No model is available.")
        : ProviderFailure.error(ProviderFailure.Kind.TIMEOUT, "total");
  }

  private Duration remaining() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }
}
