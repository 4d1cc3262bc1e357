package dev.askgateway.budget;

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
    if (!fits) {
      throw new IllegalArgumentException(
          "redis.url is not a Redis address; it must be redis://[:password@]host:port");
    }
    require("redis.timeout", timeout);
    require("redis.turnLogTtl", turnLogTtl);
  }

  private static void require(String key, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be at least 1ms");
    }
  }

  /** The address may hold a password. */
  @Override
  public String toString() {
    return "RedisConfig[url=***, timeout=" + timeout + ", turnLogTtl=" + turnLogTtl + "]";
  }
}
