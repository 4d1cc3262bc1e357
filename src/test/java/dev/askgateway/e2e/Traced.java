package dev.askgateway.e2e;

import dev.askgateway.telemetry.trace.Collector;
import dev.askgateway.telemetry.trace.Recorded;
import dev.askgateway.telemetry.trace.Trace;
import java.util.Map;
import java.util.Optional;

/** What a collector has of single requests. */
record Traced(Collector collector) {

  /** The settings of a gateway that sends its traces there. */
  static Map<String, String> to(Collector collector, Map<String, String> settings) {
    settings.put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
    return settings;
  }

  /** The whole trace of a request: its own span and that of HTTP are the last to come. */
  Trace of(String requestId) {
    Await.until("the trace of " + requestId, () -> find(requestId).isPresent());
    return find(requestId).orElseThrow();
  }

  private Optional<Trace> find(String requestId) {
    return collector.spans().stream()
        .filter(span -> span.attribute("ask.request.id").equals(requestId))
        .findFirst()
        .map(request -> collector.trace(request.traceId()))
        .filter(trace -> trace.spans().stream().anyMatch(Traced::isServer));
  }

  private static boolean isServer(Recorded span) {
    return !span.attribute("http.response.status_code").isEmpty()
        || span.attribute("error.type").equals("disconnected");
  }
}
