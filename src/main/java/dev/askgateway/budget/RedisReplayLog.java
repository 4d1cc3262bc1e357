package dev.askgateway.budget;

import dev.askgateway.core.ReplayEvent;
import dev.askgateway.core.ReplayEventCodec;
import dev.askgateway.core.ReplayLog;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/** The log of requests with an idempotency key, in Redis. */
public final class RedisReplayLog implements ReplayLog {
  private final RedisStream<ReplayEvent> stream;

  public RedisReplayLog(RedisLink link) {
    stream = new RedisStream<>(link, ReplayEventCodec::encode, ReplayEventCodec::decode);
  }

  private static String key(UserId user, UUID requestId) {
    return RedisLink.key(user.value(), "edge:" + requestId);
  }

  @Override
  public Future<Void> append(UserId user, UUID requestId, long position, List<ReplayEvent> events) {
    return stream.append(key(user, requestId), position, events);
  }

  @Override
  public Future<Batch> read(UserId user, UUID requestId, long position) {
    return stream
        .read(key(user, requestId), position)
        .map(found -> new Batch(found.events(), found.gap()));
  }
}
