package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;

/** What operators changed while this node runs. */
public final class RolloutMeters {
  private volatile BooleanSupplier modelsOn = () -> true;

  RolloutMeters(MeterRegistry registry) {
    Gauge.builder("ask.models.on", this, meters -> meters.modelsOn.getAsBoolean() ? 1 : 0)
        .description(
            "Whether models may be called: 1, or 0 while the operator has switched them off")
        .register(registry);
  }

  /** Whether models may be called, as that says it whenever it is asked. */
  public void models(BooleanSupplier on) {
    modelsOn = on;
  }
}
