package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderFailure;
import org.jspecify.annotations.Nullable;

/**
 * Hears what the gate tries, for metrics, traces and the bill. Called on the answer's event loop. After
 * {@code started} each attempt comes to exactly one of {@code failed} and {@code ended}.
 */
public interface AttemptListener {

  /** Hears nothing. */
  AttemptListener NONE = new AttemptListener() {};

  /**
   * One call of one model.
   *
   * @param number from 1, over all models and repeats of the request
   * @param hedge whether it was started beside another one that was slow
   */
  record Attempt(int number, boolean hedge, ModelProvider provider) {}

  default void started(Attempt attempt) {}

  /** The first output that is shown came, so many nanoseconds after the start: this one is chosen. */
  default void firstOutput(Attempt attempt, long nanos) {}

  /**
   * The attempt ended before it was chosen: failed, too slow, cancelled, or overtaken by its rival.
   *
   * @param error {@code CANCELLED} when we stopped it ourselves; else {@link
   *     ProviderFailure#loggable(GatewayError)} tells its kind and detail as they may be logged
   * @param spent what upstream reported, else an estimate if it had accepted the call, else nothing
   * @param nanos since its start
   */
  default void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {}

  /**
   * The chosen attempt is over.
   *
   * @param failure null after a whole answer
   * @param used what upstream reported, else an estimate
   * @param nanos since its start
   */
  default void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {}
}
