package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Whether what is written of money agrees, as this node last found it; not a number before that. */
public final class MoneyMeters {
  private volatile double differences = Double.NaN;
  private volatile double openHolds = Double.NaN;

  MoneyMeters(MeterRegistry registry) {
    Gauge.builder("ask.reconcile.differences", this, meters -> meters.differences)
        .description("What differs between requests, accounts, ledger and usage, as last counted")
        .register(registry);
    Gauge.builder("ask.holds.open", this, meters -> meters.openHolds)
        .description("Requests of all nodes that hold money, as last counted")
        .register(registry);
  }

  /** Everything was looked at. */
  public void reconciled(long found, long open) {
    differences = found;
    openHolds = open;
  }
}
