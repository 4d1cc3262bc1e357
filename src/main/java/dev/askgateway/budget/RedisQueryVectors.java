package dev.askgateway.budget;

import dev.askgateway.core.QueryVectors;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Vectors of questions in Redis, under keyed digests: who can read Redis but has not the secret cannot
 * even try whether somebody asked a certain question. A value is the vector's numbers, four bytes each.
 */
public final class RedisQueryVectors implements QueryVectors {
  private static final String HMAC = "HmacSHA256";
  private static final int SECRET_BYTES = 32;

  private final RedisLink link;
  private final QueryCacheConfig config;
  private final SecretKeySpec secret;
  private final RedisBreaker breaker = new RedisBreaker();

  public RedisQueryVectors(RedisLink link, QueryCacheConfig config) {
    this.link = link;
    this.config = config;
    this.secret = new SecretKeySpec(secret(config.secret()), HMAC);
  }

  private static byte[] secret(String configured) {
    if (!configured.isEmpty()) {
      return configured.getBytes(StandardCharsets.UTF_8);
    }
    byte[] own = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(own);
    return own;
  }

  @Override
  public Future<Optional<float[]>> find(UserId user, Key key) {
    return asked(Request.cmd(Command.GET).arg(name(user, key)))
        .map(found -> found == null ? Optional.empty() : vector(found.toBytes()));
  }

  @Override
  public Future<Void> keep(UserId user, Key key, float[] vector) {
    ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES);
    bytes.asFloatBuffer().put(vector);
    return asked(Request.cmd(Command.SET)
            .arg(name(user, key))
            .arg(Buffer.buffer(bytes.array()))
            .arg("PX")
            .arg(config.ttl().toMillis()))
        .mapEmpty();
  }

  private Future<@Nullable Response> asked(Request request) {
    if (!breaker.mayTry()) {
      return Future.failedFuture("Redis is away");
    }
    return link.send(request)
        .timeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .onSuccess(answer -> breaker.answered())
        .onFailure(late -> breaker.failed());
  }

  private static Optional<float[]> vector(byte[] bytes) {
    if (bytes.length % Float.BYTES != 0) {
      return Optional.empty();
    }
    float[] vector = new float[bytes.length / Float.BYTES];
    ByteBuffer.wrap(bytes).asFloatBuffer().get(vector);
    return Optional.of(vector);
  }

  /** The person is in the digest too: what is found under another one's tag is not theirs. */
  private String name(UserId user, Key key) {
    String of =
        String.join("\0", user.value(), key.profile(), Integer.toString(key.version()), key.text());
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(secret);
      byte[] digest = mac.doFinal(of.getBytes(StandardCharsets.UTF_8));
      return RedisLink.key(
          user.value(), "query:" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
