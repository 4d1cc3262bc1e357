package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What operators changed while this node runs. */
public final class RolloutMeters {
  private final MultiGauge shares;
  private volatile BooleanSupplier modelsOn = () -> true;

  RolloutMeters(MeterRegistry registry) {
    Gauge.builder("ask.models.on", this, meters -> meters.modelsOn.getAsBoolean() ? 1 : 0)
        .description(
            "Whether models may be called: 1, or 0 while the operator has switched them off")
        .register(registry);
    shares = MultiGauge.builder("ask.rollout.share")
        .description("Per cent of the accounts that have the candidate of the newest rollout")
        .register(registry);
  }

  /** The newest rollout, the only one that is shown. */
  public void share(String rollout, int percent) {
    shares.register(List.of(MultiGauge.Row.of(Tags.of("rollout", rollout), percent)), true);
  }

  /** Whether models may be called, as that says it whenever it is asked. */
  public void models(BooleanSupplier on) {
    modelsOn = on;
  }
}
