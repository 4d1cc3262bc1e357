package dev.askgateway.budget;

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
public record Script(String text, String digest) {

  /** One run of it. */
  public record Call(List<String> keys, List<String> arguments) {}

  public static Script of(String text) {
    try {
      byte[] sha1 =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return new Script(text, HexFormat.of().formatHex(sha1));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** Runs it once. */
  public Future<@Nullable Response> run(RedisLink link, List<String> keys, List<String> arguments) {
    Call call = new Call(keys, arguments);
    return link.send(known(call))
        .recover(
            failure -> isUnknown(failure) ? link.send(inFull(call)) : Future.failedFuture(failure));
  }

  /**
   * Runs it several times in one round trip. Where Redis had forgotten it some runs may be made twice:
   * for scripts that bear that.
   */
  public Future<List<@Nullable Response>> runAll(RedisLink link, List<Call> calls) {
    return link.batch(calls.stream().map(this::known).toList())
        .recover(failure -> isUnknown(failure)
            ? link.batch(calls.stream().map(this::inFull).toList())
            : Future.failedFuture(failure));
  }

  private Request known(Call call) {
    return request(Command.EVALSHA, digest, call);
  }

  private Request inFull(Call call) {
    return request(Command.EVAL, text, call);
  }

  private static Request request(Command command, String script, Call call) {
    Request request = Request.cmd(command).arg(script).arg(call.keys().size());
    call.keys().forEach(request::arg);
    call.arguments().forEach(request::arg);
    return request;
  }

  /**
   * After a restart or a failover Redis has forgotten its scripts. The client puts places of a batch
   * before what Redis says of them.
   */
  private static boolean isUnknown(Throwable failure) {
    return failure.getMessage() != null && failure.getMessage().contains("NOSCRIPT");
  }
}
