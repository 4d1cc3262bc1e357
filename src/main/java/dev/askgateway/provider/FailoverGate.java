package dev.askgateway.provider;

import dev.askgateway.core.Prompt;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Asks one model after the other until one begins to answer. Nothing of an attempt is seen outside
 * before its first text (or its clean, empty end); from then on there is no other model.
 */
public final class FailoverGate {
  private final Vertx vertx;
  private final Deadlines deadlines;

  public FailoverGate(Vertx vertx, Deadlines deadlines) {
    this.vertx = vertx;
    this.deadlines = deadlines;
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
   *
   * @param candidates in the order they are tried
   */
  public Run start(Prompt prompt, List<ModelProvider> candidates, AttemptListener listener) {
    GateRun run = new GateRun(vertx, deadlines, prompt, List.copyOf(candidates), listener);
    run.next();
    return run;
  }
}
