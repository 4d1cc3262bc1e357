package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * How long the vectors of questions are remembered.
 *
 * @param ttl how long one is kept; zero: none is
 * @param timeout longest wait for Redis before the model is asked
 * @param secret what keys are made with, the same on all nodes that share them; empty: each process
 *     makes its own
 */
public record QueryCacheConfig(Duration ttl, Duration timeout, String secret) {
  private static final int LEAST_SECRET = 32;

  public QueryCacheConfig {
    Rule.range("retrieval.queryCache.ttl", ttl, Duration.ZERO, Duration.ofHours(1));
    Rule.range(
        "retrieval.queryCache.timeout", timeout, Duration.ofMillis(1), Duration.ofSeconds(1));
    Rule.require(
        secret.isEmpty() || secret.length() >= LEAST_SECRET,
        "retrieval.queryCache.secret",
        "too short",
        "empty or at least " + LEAST_SECRET + " characters long");
  }

  public boolean isOn() {
    return !ttl.isZero();
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "QueryCacheConfig[ttl=" + ttl + ", timeout=" + timeout + ", secret=***]";
  }
}
