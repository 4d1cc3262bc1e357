package dev.askgateway.intake;

import java.time.Duration;
import java.util.List;

/**
 * Limits of the HTTP door. If one of these exists, it is valid.
 *
 * @param port 0 takes a free one
 * @param instances event loops that accept connections
 * @param maxBodyBytes longest JSON body; the ingestion stream has its own limits
 * @param bodyTimeout longest time a JSON body may take to arrive
 * @param maxHeaderBytes longest head of a request
 * @param maxUriBytes longest request line
 * @param idleTimeout silence after which a connection is closed: longer than any answer takes
 * @param drainTimeout how long open answers get to finish at a stop
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
    Duration drainTimeout,
    Duration replayWindow,
    List<String> corsOrigins) {

  public IntakeConfig {
    require(!host.isBlank(), "intake.host", host, "an address to listen on");
    require(port >= 0 && port <= 65_535, "intake.port", port, "0 to 65535");
    require(instances >= 1 && instances <= 256, "intake.instances", instances, "1 to 256");
    require(
        maxBodyBytes >= 1024 && maxBodyBytes <= 100 * 1024 * 1024,
        "intake.maxBodyBytes",
        maxBodyBytes,
        "1024 to 104857600");
    require(
        maxHeaderBytes >= 1024 && maxHeaderBytes <= 1024 * 1024,
        "intake.maxHeaderBytes",
        maxHeaderBytes,
        "1024 to 1048576");
    require(
        maxUriBytes >= 512 && maxUriBytes <= 64 * 1024,
        "intake.maxUriBytes",
        maxUriBytes,
        "512 to 65536");
    positive("intake.bodyTimeout", bodyTimeout);
    positive("intake.idleTimeout", idleTimeout);
    positive("intake.drainTimeout", drainTimeout);
    positive("intake.replayWindow", replayWindow);
    corsOrigins = List.copyOf(corsOrigins);
    for (String origin : corsOrigins) {
      require(
          origin.equals("null") || origin.matches("[a-z][a-z0-9+.-]*://[^/*\\s]+"),
          "intake.corsOrigins",
          origin,
          "exact origins such as https://app.example or null, without a path");
    }
  }

  /** What a gateway has that sets nothing. */
  public static IntakeConfig defaults() {
    return new IntakeConfig(
        "0.0.0.0",
        8080,
        1,
        10 * 1024 * 1024,
        Duration.ofSeconds(30),
        16 * 1024,
        8 * 1024,
        Duration.ofMinutes(5),
        Duration.ofSeconds(20),
        Duration.ofMinutes(2),
        List.of());
  }

  private static void positive(String key, Duration value) {
    require(value.toMillis() >= 1, key, value, "at least 1ms");
  }

  private static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be " + rule);
    }
  }
}
