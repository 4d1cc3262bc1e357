package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/**
 * Where Redis is.
 *
 * @param url {@code redis://[:password@]host:port[/db]} or {@code rediss://}
 * @param timeout longest wait for an answer
 * @param turnLogTtl how long the events of a turn stay readable after its last one
 */
public record RedisConfig(String url, Duration timeout, Duration turnLogTtl) {

  public RedisConfig {
    boolean fits;
    try {
      URI uri = new URI(url);
      fits = ("redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme()))
          && uri.getHost() != null;
    } catch (URISyntaxException notAnUri) {
      fits = false;
    }
    Rule.require(
        fits, "redis.url", "not a Redis address", "redis://[:password@]host:port or rediss://");
    Rule.range("redis.timeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
    Rule.range("redis.turnLogTtl", turnLogTtl, Duration.ofMillis(1), Duration.ofDays(1));
  }

  /** The address may hold a password. */
  @Override
  public String toString() {
    return "RedisConfig[url=***, timeout=" + timeout + ", turnLogTtl=" + turnLogTtl + "]";
  }
}
