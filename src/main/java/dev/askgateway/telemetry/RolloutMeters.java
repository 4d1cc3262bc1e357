package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** What operators changed while this node runs. */
public final class RolloutMeters {
  private final MeterRegistry registry;
  private final MultiGauge shares;
  private final Map<String, Counter> takenBack = new ConcurrentHashMap<>();
  private volatile BooleanSupplier modelsOn = () -> true;

  RolloutMeters(MeterRegistry registry) {
    this.registry = registry;
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

  /** These are all the gates that a rollout can be taken back for. */
  public void gates(List<String> names) {
    names.forEach(gate -> takenBack.put(
        gate,
        Counter.builder("ask.rollout.rollbacks")
            .description("Rollouts that this node took back, by the gate that the candidate failed")
            .tag("gate", gate)
            .register(registry)));
  }

  /** This node took a rollout back for that one of the gates. */
  public void takenBack(String gate) {
    Counter counter = takenBack.get(gate);
    if (counter != null) {
      counter.increment();
    }
  }
}
