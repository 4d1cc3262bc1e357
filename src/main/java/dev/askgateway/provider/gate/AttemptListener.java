package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ModelProvider;

/** Hears what the gate tries, for metrics, traces and the bill. Called on the answer's event loop. */
public interface AttemptListener {

  /** Hears nothing. */
  AttemptListener NONE = new AttemptListener() {};

  default void attemptStarted(ModelProvider provider) {}

  /**
   * An attempt ended before it was chosen: failed, too slow or cancelled.
   *
   * @param error its cause is a {@link ProviderFailure}, whose message may be logged, unless the
   *     code is {@code CANCELLED}
   * @param spent what upstream reported, else an estimate if it had accepted the call, else nothing
   */
  default void attemptFailed(ModelProvider provider, GatewayError error, Usage spent) {}

  /** The first text came, so many nanoseconds after the attempt's start: this model is chosen. */
  default void firstDelta(ModelProvider provider, long nanos) {}
}
