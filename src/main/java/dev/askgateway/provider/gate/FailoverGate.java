package dev.askgateway.provider.gate;

import dev.askgateway.provider.ModelRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Asks one model after the other until one begins to answer. Nothing of an attempt is seen outside
 * before its first text (or its clean, empty end); from then on there is no other model.
 */
public final class FailoverGate {
  private final Vertx vertx;

  public FailoverGate(Vertx vertx) {
    this.vertx = vertx;
  }

  /** One run over the candidates. */
  public interface Run {

    /**
     * The chosen model, or a {@link dev.askgateway.core.GatewayError}: the most telling one of all
     * attempts, {@code NO_PROVIDER} without candidates, {@code CANCELLED} after a cancel.
     */
    Future<Committed> committed();

    /** Stops whatever runs, also the chosen stream. Safe to repeat. */
    void cancel();
  }

  /**
   * Starts with the first candidate. To be called on the answer's event loop, where all of it runs.
   */
  public Run start(ModelRequest request, Plan plan, AttemptListener listener) {
    GateRun run = new GateRun(vertx, request, plan, listener);
    run.next();
    return run;
  }
}
