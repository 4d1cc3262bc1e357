package dev.askgateway.config;

import dev.askgateway.telemetry.trace.TracingConfig;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which keys say where traces go. */
final class TracingSection {
  private TracingSection() {}

  static TracingConfig read(Section root) {
    Section tracing = root.section("tracing");
    return new TracingConfig(
        tracing.string("endpoint"),
        tracing.string("protocol"),
        decoded(tracing.secrets("headers")),
        tracing.decimal("sampleRatio"),
        tracing.string("serviceName"),
        decoded(tracing.texts("attributes")),
        tracing.integer("queueSize"));
  }

  /** As OpenTelemetry writes such lists: percent-encoded, a plus is a plus. */
  private static Map<String, String> decoded(Map<String, String> encoded) {
    Map<String, String> decoded = new LinkedHashMap<>();
    encoded.forEach((name, value) -> decoded.put(name.strip(), decoded(value)));
    return decoded;
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return value;
    }
  }
}
