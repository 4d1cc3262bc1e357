package dev.askgateway.provider.gate;

import dev.askgateway.provider.ModelRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/**
 * Asks one model after the other until one begins to answer: each candidate once, then again those
 * whose trouble may have passed, beside a slow one a second, all within one budget of attempts. Nothing
 * of an attempt is seen outside before its first output that is shown (or its clean, empty end); from
 * then on there is no other model.
 */
public final class FailoverGate {
  private final Vertx vertx;
  private final Backoff backoff;
  private final LongSupplier nanos;
  private final LoopLag lag;

  public FailoverGate(Vertx vertx) {
    this(vertx, Backoff.DEFAULT);
  }

  /** With other waits before a model is asked again. */
  public FailoverGate(Vertx vertx, Backoff backoff) {
    this(vertx, backoff, System::nanoTime);
  }

  /** In a time of its own. */
  public FailoverGate(Vertx vertx, Backoff backoff, LongSupplier nanos) {
    this.vertx = vertx;
    this.backoff = backoff;
    this.nanos = nanos;
    this.lag = new LoopLag(vertx);
  }

  /** One run over the candidates. */
  public interface Run {

    /**
     * The chosen model, or a {@link dev.askgateway.core.GatewayError}: the most telling one of all
     * attempts, {@code NO_PROVIDER} when nobody could be asked, {@code CANCELLED} after a cancel.
     */
    Future<Committed> committed();

    /** Stops whatever runs, also the chosen stream. Safe to repeat. */
    void cancel();
  }

  /**
   * Starts with the first candidate. To be called on the answer's event loop, where all of it runs.
   */
  public Run start(ModelRequest request, Plan plan, AttemptListener listener) {
    lag.watch();
    GateRun run = new GateRun(new GateTerms(vertx, backoff, nanos, lag, request, plan, listener));
    run.begin();
    return run;
  }
}
