package dev.askgateway.config;

import java.time.Duration;
import java.util.Set;

/**
 * Where Redis is. If one of these exists, it is valid.
 *
 * @param url {@code redis://[:password@]host:port[/db]} or {@code rediss://}
 * @param timeout longest wait for an answer
 */
public record RedisSettings(String url, Duration timeout) {
  private static final String SAMPLE = "redis://localhost:6379";

  public RedisSettings {
    Rule.url("redis.url", url, Set.of("redis", "rediss"));
    Rule.positive("redis.timeout", timeout);
  }

  static RedisSettings from(Section redis) {
    return new RedisSettings(redis.required("url", SAMPLE), redis.duration("timeout"));
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "RedisSettings[url=" + Redaction.shown("redis.url", url) + ", timeout=" + timeout + "]";
  }
}
