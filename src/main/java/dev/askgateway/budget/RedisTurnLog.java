package dev.askgateway.budget;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEventCodec;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The turn-event log in Redis Streams: one stream a turn, gone a while after its last event. */
public final class RedisTurnLog implements TurnLog {
  /** More entries than an answer can have: a bound on memory, not on answers. */
  private static final int MAX_ENTRIES = 20_000;

  private static final int READ_AT_ONCE = 500;
  private static final String FIELD = "e";

  private final RedisLink link;

  public RedisTurnLog(RedisLink link) {
    this.link = link;
  }

  @Override
  public Future<Void> append(UserId user, UUID assistantTurnId, List<AnswerEvent> events) {
    String key = RedisLink.turnKey(user, assistantTurnId);
    Request add = Request.cmd(Command.XADD)
        .arg(key)
        .arg("MAXLEN")
        .arg("~")
        .arg(MAX_ENTRIES)
        .arg("*")
        .arg(FIELD)
        .arg(AnswerEventCodec.encode(events));
    Request expire =
        Request.cmd(Command.PEXPIRE).arg(key).arg(link.config().turnLogTtl().toMillis());
    return link.send(add).compose(added -> link.send(expire)).mapEmpty();
  }

  @Override
  public Future<Batch> read(UserId user, UUID assistantTurnId, String cursor) {
    Request range = Request.cmd(Command.XRANGE)
        .arg(RedisLink.turnKey(user, assistantTurnId))
        .arg(cursor.isEmpty() ? "-" : "(" + cursor)
        .arg("+")
        .arg("COUNT")
        .arg(READ_AT_ONCE);
    return link.send(range).map(entries -> batch(entries, cursor));
  }

  private static Batch batch(@Nullable Response entries, String cursor) {
    List<AnswerEvent> events = new ArrayList<>();
    String last = cursor;
    if (entries != null) {
      for (Response entry : entries) {
        last = entry.get(0).toString();
        // An entry is [id, [field, value]]: this log writes one field.
        events.addAll(AnswerEventCodec.decode(entry.get(1).get(1).toString()));
      }
    }
    return new Batch(events, last);
  }
}
