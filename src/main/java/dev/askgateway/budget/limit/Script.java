package dev.askgateway.budget.limit;

import dev.askgateway.budget.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script that runs in Redis as one step; sent in full only where Redis does not know it yet. */
record Script(String text, String digest) {

  static Script of(String text) {
    try {
      byte[] sha1 =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return new Script(text, HexFormat.of().formatHex(sha1));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  Future<@Nullable Response> run(RedisLink link, List<String> keys, List<String> arguments) {
    return link.send(request(Command.EVALSHA, digest, keys, arguments))
        .recover(failure -> isUnknown(failure)
            ? link.send(request(Command.EVAL, text, keys, arguments))
            : Future.failedFuture(failure));
  }

  private static Request request(
      Command command, String script, List<String> keys, List<String> arguments) {
    Request request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    arguments.forEach(request::arg);
    return request;
  }

  /** After a restart or a failover Redis has forgotten its scripts. */
  private static boolean isUnknown(Throwable failure) {
    return failure.getMessage() != null && failure.getMessage().startsWith("NOSCRIPT");
  }
}
