package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Who is let in, and how late event loops are. Any thread may call any method. */
public final class AdmissionMeters {
  /** Why a request was turned away. */
  public enum Reason {
    OPEN,
    LIMIT,
    IMPORT,
    LAG,
    DRAINING
  }

  private final Labelled<Reason, Counter> shed;
  private final Timer lag;
  // Held here: a registry keeps only weak references to what its gauges read.
  private volatile IntSupplier limit = () -> 0;
  private volatile IntSupplier inFlight = () -> 0;
  private volatile IntSupplier open = () -> 0;

  AdmissionMeters(MeterRegistry registry) {
    shed = new Labelled<>(reason -> Counter.builder("ask.admission.shed")
        .description("Requests that were turned away with 503")
        .tag("reason", Labels.lower(reason))
        .register(registry));
    for (Reason reason : Reason.values()) {
      shed.of(reason); // there from the start: an alert on a rate sees no first increase
    }
    lag = Timer.builder("ask.event.loop.lag")
        .description("How late event loops are, of all of them ten times a second")
        .serviceLevelObjectives(Labels.LATENCIES)
        .register(registry);
    Gauge.builder("ask.admission.limit", this, meters -> meters.limit.getAsInt())
        .description("How many requests may be beginning at a time")
        .register(registry);
    Gauge.builder("ask.admission.in.flight", this, meters -> meters.inFlight.getAsInt())
        .description("Requests that were let in and whose model was not asked yet")
        .register(registry);
    Gauge.builder("ask.admission.open", this, meters -> meters.open.getAsInt())
        .description("Answers and completions that are open")
        .register(registry);
  }

  /** What is read at each scrape, of all event loops together. */
  public void watch(IntSupplier limit, IntSupplier inFlight, IntSupplier open) {
    this.limit = limit;
    this.inFlight = inFlight;
    this.open = open;
  }

  /** A request was turned away. */
  public void shed(Reason reason) {
    shed.of(reason).increment();
  }

  /** An event loop was so late. */
  public void lagged(long nanos) {
    lag.record(nanos, TimeUnit.NANOSECONDS);
  }
}
