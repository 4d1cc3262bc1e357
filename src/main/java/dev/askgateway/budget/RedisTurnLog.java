package dev.askgateway.budget;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEventCodec;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/** The turn-event log in Redis. */
public final class RedisTurnLog implements TurnLog {
  private final RedisStream<AnswerEvent> stream;

  public RedisTurnLog(RedisLink link) {
    stream = new RedisStream<>(link, AnswerEventCodec::encode, AnswerEventCodec::decode);
  }

  @Override
  public Future<Void> append(
      UserId user, UUID assistantTurnId, long position, List<AnswerEvent> events) {
    return stream.append(RedisLink.turnKey(user, assistantTurnId), position, events);
  }

  @Override
  public Future<Batch> read(UserId user, UUID assistantTurnId, long position) {
    return stream
        .read(RedisLink.turnKey(user, assistantTurnId), position)
        .map(found -> new Batch(found.events(), found.gap()));
  }
}
