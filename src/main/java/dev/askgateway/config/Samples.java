package dev.askgateway.config;

import java.util.Map;
import java.util.Optional;

/**
 * Valid values of the keys that have no default. They stand in for what is missing while the rest is
 * checked; none of them is ever handed out.
 */
final class Samples {
  static final String ORIGIN = "sample";

  private static final Map<String, String> SAMPLES = Map.ofEntries(
      Map.entry("auth.secret", "*".repeat(32)),
      Map.entry("auth.issuer", ORIGIN),
      Map.entry("auth.audience", ORIGIN),
      Map.entry("database.url", "postgresql://user:password@localhost/ask"),
      Map.entry("redis.url", "redis://localhost:6379"),
      Map.entry("providers.*.baseUrl", "http://localhost"),
      Map.entry("providers.*.apiKey", ORIGIN),
      Map.entry("models.*.model", ORIGIN));

  private Samples() {}

  /** @param key of an entry with a name: the key of its template */
  static Optional<String> of(String key) {
    return Optional.ofNullable(SAMPLES.get(key));
  }
}
