package dev.askgateway.telemetry;

import dev.askgateway.telemetry.trace.Tracing;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** What became of spans. Tracing counts by itself; here it is read, at each scrape. */
final class TraceMeters {
  private TraceMeters() {}

  static void of(Tracing tracing, MeterRegistry registry) {
    FunctionCounter.builder("ask.spans.sent", tracing, Tracing::sent)
        .description("Spans that the collector of traces took")
        .register(registry);
    dropped(tracing, registry, "queue", Tracing::overflowed);
    dropped(tracing, registry, "collector", Tracing::refused);
  }

  private static void dropped(
      Tracing tracing, MeterRegistry registry, String reason, ToDoubleFunction<Tracing> count) {
    FunctionCounter.builder("ask.spans.dropped", tracing, count)
        .description("Spans that were lost: no room in the queue, or not taken by the collector")
        .tag("reason", reason)
        .register(registry);
  }
}
