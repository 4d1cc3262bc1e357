package dev.askgateway.budget;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEventCodec;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.ReplayEvent;
import dev.askgateway.core.ReplayEventCodec;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Logs of events in Redis Streams: one stream each, gone a while after its last event.
 *
 * <p>An entry holds some events; its id is the place of the first of them, counted from one. Redis
 * refuses an id that is not above the last, which makes a repeated append harmless.
 */
public final class RedisEventLog<E> implements EventLog<E> {
  /** A bound on one log's memory; what falls out at the front shows to readers as a gap. */
  private static final int MAX_ENTRIES = 20_000;

  private static final int READ_AT_ONCE = 500;
  private static final String FIELD = "e";
  private static final String THERE_ALREADY = "equal or smaller than the target stream top item";

  private final RedisLink link;
  private final BiFunction<UserId, UUID, String> key;
  private final Function<List<E>, String> encode;
  private final Function<String, List<E>> decode;

  private RedisEventLog(
      RedisLink link,
      BiFunction<UserId, UUID, String> key,
      Function<List<E>, String> encode,
      Function<String, List<E>> decode) {
    this.link = link;
    this.key = key;
    this.encode = encode;
    this.decode = decode;
  }

  /** The log of assistant turns. */
  public static EventLog<AnswerEvent> ofTurns(RedisLink link) {
    return new RedisEventLog<>(
        link, RedisLink::turnKey, AnswerEventCodec::encode, AnswerEventCodec::decode);
  }

  /** The log of requests with an idempotency key. */
  public static EventLog<ReplayEvent> ofRequests(RedisLink link) {
    return new RedisEventLog<>(
        link,
        (user, request) -> RedisLink.key(user.value(), "edge:" + request),
        ReplayEventCodec::encode,
        ReplayEventCodec::decode);
  }

  @Override
  public Future<Void> append(UserId user, UUID id, long position, List<E> events) {
    String key = this.key.apply(user, id);
    Request add = Request.cmd(Command.XADD)
        .arg(key)
        .arg("MAXLEN")
        .arg("~")
        .arg(MAX_ENTRIES)
        .arg((position + 1) + "-0")
        .arg(FIELD)
        .arg(encode.apply(events));
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
  public Future<Batch<E>> read(UserId user, UUID id, long position) {
    Request range = Request.cmd(Command.XRANGE)
        .arg(key.apply(user, id))
        .arg((position + 1) + "-0")
        .arg("+")
        .arg("COUNT")
        .arg(READ_AT_ONCE);
    return link.send(range).map(entries -> found(entries, position));
  }

  private Batch<E> found(@Nullable Response entries, long position) {
    List<E> events = new ArrayList<>();
    if (entries != null) {
      for (Response entry : entries) {
        String id = entry.get(0).toString();
        long place = Long.parseLong(id.substring(0, id.indexOf('-')));
        if (place != position + events.size() + 1) {
          return new Batch<>(events, true);
        }
        // An entry is [id, [field, value]]: this log writes one field.
        events.addAll(decode.apply(entry.get(1).get(1).toString()));
      }
    }
    return new Batch<>(events, false);
  }
}
