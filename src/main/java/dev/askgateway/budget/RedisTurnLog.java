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

/**
 * The turn-event log in Redis Streams: one stream a turn, gone a while after its last event.
 *
 * <p>An entry holds some events; its id is the place of the first of them, counted from one. Redis
 * refuses an id that is not above the last, which makes a repeated append harmless.
 */
public final class RedisTurnLog implements TurnLog {
  /** A bound on one turn's memory; what falls out at the front shows to readers as a gap. */
  private static final int MAX_ENTRIES = 20_000;

  private static final int READ_AT_ONCE = 500;
  private static final String FIELD = "e";
  private static final String THERE_ALREADY = "equal or smaller than the target stream top item";

  private final RedisLink link;

  public RedisTurnLog(RedisLink link) {
    this.link = link;
  }

  @Override
  public Future<Void> append(
      UserId user, UUID assistantTurnId, long position, List<AnswerEvent> events) {
    String key = RedisLink.turnKey(user, assistantTurnId);
    Request add = Request.cmd(Command.XADD)
        .arg(key)
        .arg("MAXLEN")
        .arg("~")
        .arg(MAX_ENTRIES)
        .arg((position + 1) + "-0")
        .arg(FIELD)
        .arg(AnswerEventCodec.encode(events));
    Request expire =
        Request.cmd(Command.PEXPIRE).arg(key).arg(link.config().turnLogTtl().toMillis());
    return link.batch(List.of(add, expire))
        .<Void>mapEmpty()
        .recover(
            refused -> isThere(refused) ? Future.succeededFuture() : Future.failedFuture(refused));
  }

  private static boolean isThere(Throwable refused) {
    return refused.getMessage() != null && refused.getMessage().contains(THERE_ALREADY);
  }

  @Override
  public Future<Batch> read(UserId user, UUID assistantTurnId, long position) {
    Request range = Request.cmd(Command.XRANGE)
        .arg(RedisLink.turnKey(user, assistantTurnId))
        .arg((position + 1) + "-0")
        .arg("+")
        .arg("COUNT")
        .arg(READ_AT_ONCE);
    return link.send(range).map(entries -> batch(entries, position));
  }

  private static Batch batch(@Nullable Response entries, long position) {
    List<AnswerEvent> events = new ArrayList<>();
    if (entries != null) {
      for (Response entry : entries) {
        String id = entry.get(0).toString();
        long place = Long.parseLong(id.substring(0, id.indexOf('-')));
        if (place != position + events.size() + 1) {
          return new Batch(events, true);
        }
        // An entry is [id, [field, value]]: this log writes one field.
        events.addAll(AnswerEventCodec.decode(entry.get(1).get(1).toString()));
      }
    }
    return new Batch(events, false);
  }
}
