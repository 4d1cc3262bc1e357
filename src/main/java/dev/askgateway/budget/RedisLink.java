package dev.askgateway.budget;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Redis client of this process: pooled, every command with a deadline.
 *
 * <p>Where assertions are on, as in tests, the client (5.0.7) logs an {@code AssertionError} when Redis
 * resets a connection: it takes the end of one that has failed for a second end. By then the commands on it
 * have failed and the pool has let go of it.
 */
public final class RedisLink {
  private static final int CONNECTIONS = 16;

  private final Vertx vertx;
  private final Redis redis;
  private final RedisConfig config;

  public RedisLink(Vertx vertx, RedisConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.redis = client(CONNECTIONS);
  }

  private Redis client(int connections) {
    return Redis.createClient(
        vertx,
        new RedisOptions()
            .setConnectionString(config.url())
            .setPoolName("redis") // a label of metrics; the default is another one each time
            .setMaxPoolSize(connections)
            .setMaxPoolWaiting(1024)
            .setMaxWaitingHandlers(2048));
  }

  /** Sends a command; the answer comes within the configured time or the future fails. */
  public Future<@Nullable Response> send(Request request) {
    return bounded(redis.send(request), 0);
  }

  /** Several commands in one round trip. All are run; the failure of one is the failure told. */
  public Future<List<@Nullable Response>> batch(List<Request> requests) {
    return bounded(redis.batch(requests), 0);
  }

  /**
   * A client of one connection, for commands that block. Its connection never goes back to a pool, to
   * be handed on while it still blocks: who has enough of it closes the client.
   */
  Redis blocking() {
    return client(1);
  }

  /** An answer that must come within the usual time and so many milliseconds more. */
  <T> Future<T> bounded(Future<T> answer, long moreMillis) {
    return answer.timeout(config.timeout().toMillis() + moreMillis, TimeUnit.MILLISECONDS);
  }

  RedisConfig config() {
    return config;
  }

  /** Succeeds when Redis answers. */
  public Future<Void> check() {
    return send(Request.cmd(io.vertx.redis.client.Command.PING)).mapEmpty();
  }

  public Future<Void> close() {
    return redis.close();
  }

  /** The key of a turn's events. */
  static String turnKey(UserId user, UUID assistantTurnId) {
    return key(user.value(), "turn:" + assistantTurnId);
  }

  /**
   * A key of somebody's. All keys of a person share a hash tag, so that they live on one node of a
   * cluster; the tag is a digest, so that no key shows whose it is.
   */
  public static String key(String owner, String name) {
    return "ask:{" + tag(owner) + "}:" + name;
  }

  /** Tells owners apart without naming them. */
  public static String tag(String owner) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest).substring(0, 22);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
