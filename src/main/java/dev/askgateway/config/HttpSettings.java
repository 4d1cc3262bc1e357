package dev.askgateway.config;

import java.time.Duration;
import java.util.List;

/**
 * The HTTP door. If one of these exists, it is valid.
 *
 * @param port 0: a free one
 * @param instances event loops; 0: one for each core
 * @param maxBodyBytes of a request, ingestion apart
 * @param drainTimeout how long running answers may go on once the process is told to stop
 * @param corsOrigins none: no CORS
 */
public record HttpSettings(
    String host,
    int port,
    int instances,
    long maxBodyBytes,
    Duration drainTimeout,
    List<String> corsOrigins) {

  public HttpSettings {
    corsOrigins = List.copyOf(corsOrigins);
    Rule.require(!host.isBlank(), "http.host", host, "an address or a name");
    Rule.range("http.port", port, 0, 65_535);
    Rule.range("http.instances", instances, 0, 1024);
    Rule.range("http.maxBodyBytes", maxBodyBytes, 1024, 1L << 30);
    Rule.notNegative("http.drainTimeout", drainTimeout);
    for (String origin : corsOrigins) {
      Rule.require(
          origin.matches("https?://[A-Za-z0-9.-]+(:\\d{1,5})?"),
          "http.corsOrigins",
          origin,
          "origins such as https://app.example.com");
    }
  }

  static HttpSettings from(Section http) {
    return new HttpSettings(
        http.string("host"),
        http.integer("port"),
        http.integer("instances"),
        http.bytes("maxBodyBytes"),
        http.duration("drainTimeout"),
        http.list("corsOrigins"));
  }

  /** Event loops to use: the configured number, or one for each core. */
  public int loops() {
    return instances == 0 ? Runtime.getRuntime().availableProcessors() : instances;
  }
}
