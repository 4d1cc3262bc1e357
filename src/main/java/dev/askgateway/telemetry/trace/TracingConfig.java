package dev.askgateway.telemetry.trace;

import dev.askgateway.core.Rule;
import java.net.URI;
import java.util.Map;

/**
 * Where spans are sent.
 *
 * @param endpoint base address of the collector, to which {@code /v1/traces} is added; empty: nothing is
 *     traced
 * @param protocol how: {@code http/protobuf}
 * @param headers sent with each export, secrets among them
 * @param sampleRatio share of the requests that are traced, of those whose client does not say; 0 to 1
 * @param serviceName how traces name this service
 * @param attributes more about this process, such as its environment
 * @param queueSize most spans that wait to be sent; more are dropped
 */
public record TracingConfig(
    String endpoint,
    String protocol,
    Map<String, String> headers,
    double sampleRatio,
    String serviceName,
    Map<String, String> attributes,
    int queueSize) {
  private static final String PROTOCOL = "http/protobuf";
  private static final String HEADER_NAME = "[A-Za-z0-9!#$&'*+.^_`|~-]+";

  public TracingConfig {
    Rule.require(
        endpoint.isEmpty() || isAddress(endpoint),
        "tracing.endpoint",
        "***",
        "http://host:port or https://host:port, without a login, or empty");
    Rule.require(
        endpoint.isEmpty() || protocol.equals(PROTOCOL), "tracing.protocol", protocol, PROTOCOL);
    Rule.require(
        headers.keySet().stream().allMatch(name -> name.matches(HEADER_NAME))
            && headers.values().stream().allMatch(TracingConfig::isHeader),
        "tracing.headers",
        "***",
        "a list of header=value in printable ASCII, without spaces in names");
    Rule.range("tracing.sampleRatio", sampleRatio, 0, 1);
    Rule.require(
        !serviceName.isBlank(), "tracing.serviceName", "\"" + serviceName + "\"", "a name");
    Rule.range("tracing.queueSize", queueSize, 1, 1_000_000);
    headers = Map.copyOf(headers);
    attributes = Map.copyOf(attributes);
  }

  private static boolean isAddress(String text) {
    try {
      URI at = URI.create(text);
      boolean http = "http".equals(at.getScheme()) || "https".equals(at.getScheme());
      return http && at.getHost() != null && at.getUserInfo() == null && at.getQuery() == null;
    } catch (IllegalArgumentException noUri) {
      return false;
    }
  }

  private static boolean isHeader(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c < 127);
  }

  public boolean isOn() {
    return !endpoint.isEmpty();
  }

  /** Where spans are posted. */
  String url() {
    return (endpoint.endsWith("/") ? endpoint : endpoint + "/") + "v1/traces";
  }

  /** Without the headers, which may hold a key. */
  @Override
  public String toString() {
    return "TracingConfig[" + (isOn() ? "on" : "off") + "]";
  }
}
