package dev.askgateway.intake;

import dev.askgateway.core.Rule;
import java.time.Duration;
import java.util.List;

/**
 * Limits of the HTTP door. If one of these exists, it is valid.
 *
 * @param port 0 takes a free one
 * @param instances event loops that accept connections; 0: one for each core
 * @param maxBodyBytes longest JSON body; the ingestion stream has its own limits
 * @param bodyTimeout longest time a JSON body may take to arrive
 * @param maxHeaderBytes longest head of a request
 * @param maxUriBytes longest request line
 * @param idleTimeout silence after which a connection is closed: longer than any answer takes
 * @param drainGrace how long new requests are still taken at a stop, while balancers find out
 * @param drainTimeout how long open answers get to finish after that; zero stands for as long as any takes
 * @param replayWindow how long an answer that ended is still handed to who resumes
 * @param corsOrigins exact origins, "null" and custom schemes included
 */
public record IntakeConfig(
    String host,
    int port,
    int instances,
    long maxBodyBytes,
    Duration bodyTimeout,
    int maxHeaderBytes,
    int maxUriBytes,
    Duration idleTimeout,
    Duration drainGrace,
    Duration drainTimeout,
    Duration replayWindow,
    List<String> corsOrigins) {

  private static final Duration LEAST = Duration.ofMillis(1);

  public IntakeConfig {
    corsOrigins = List.copyOf(corsOrigins);
    Rule.require(!host.isBlank(), "http.host", host, "an address or a name to listen on");
    Rule.range("http.port", port, 0, 65_535);
    Rule.range("http.instances", instances, 0, 256);
    Rule.range("http.maxBodyBytes", maxBodyBytes, 1024, 100 << 20);
    Rule.range("http.bodyTimeout", bodyTimeout, LEAST, Duration.ofHours(1));
    Rule.range("http.maxHeaderBytes", maxHeaderBytes, 1024, 1 << 20);
    Rule.range("http.maxUriBytes", maxUriBytes, 512, 64 << 10);
    Rule.range("http.idleTimeout", idleTimeout, LEAST, Duration.ofDays(7));
    Rule.range("http.drainGrace", drainGrace, Duration.ZERO, Duration.ofMinutes(10));
    Rule.range("http.drainTimeout", drainTimeout, Duration.ZERO, Duration.ofHours(1));
    Rule.range("answer.replayWindow", replayWindow, LEAST, Duration.ofHours(12));
    for (String origin : corsOrigins) {
      Rule.require(
          origin.equals("null") || origin.matches("[a-z][a-z0-9+.-]*://[^/*\\s]+"),
          "http.corsOrigins",
          origin,
          "exact origins such as https://app.example or null, without a path");
    }
  }

  /** The same with a time to drain: the configured one, or as long as any answer takes. */
  public IntakeConfig draining(Duration longestAnswer) {
    return drainTimeout.isZero()
        ? new IntakeConfig(
            host,
            port,
            instances,
            maxBodyBytes,
            bodyTimeout,
            maxHeaderBytes,
            maxUriBytes,
            idleTimeout,
            drainGrace,
            longestAnswer,
            replayWindow,
            corsOrigins)
        : this;
  }

  /** Event loops to use: the configured number, or one for each core. */
  public int loops() {
    return instances == 0 ? Runtime.getRuntime().availableProcessors() : instances;
  }
}
