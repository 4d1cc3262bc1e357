package dev.askgateway.budget;

import dev.askgateway.core.CancelSignals;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Cancel signals over one short Redis stream that every node reads on a connection of its own. */
public final class RedisCancelSignals implements CancelSignals {
  private static final String KEY = "ask:cancels";
  private static final int KEEP = 1_000;
  private static final long BLOCK_MILLIS = 5_000;
  private static final long RETRY_MILLIS = 1_000;

  private final Vertx vertx;
  private final RedisLink link;
  private volatile boolean closed;
  private volatile @Nullable Redis reading;

  public RedisCancelSignals(Vertx vertx, RedisLink link) {
    this.vertx = vertx;
    this.link = link;
  }

  @Override
  public Future<Void> send(UserId user, UUID requestId) {
    String signal =
        new JsonObject().put("u", user.value()).put("r", requestId.toString()).encode();
    return link.send(Request.cmd(Command.XADD)
            .arg(KEY)
            .arg("MAXLEN")
            .arg("~")
            .arg(KEEP)
            .arg("*")
            .arg("e")
            .arg(signal))
        .mapEmpty();
  }

  @Override
  public void listen(BiConsumer<UserId, UUID> handler) {
    connect("", handler);
  }

  /** From where a connection before this one had read, or "" for what comes from now on. */
  private void connect(String from, BiConsumer<UserId, UUID> handler) {
    Redis client = link.blocking();
    reading = client;
    Future<String> start = from.isEmpty() ? newest(client) : Future.succeededFuture(from);
    start.onSuccess(known -> read(client, known, handler)).onFailure(away -> {
      client.close();
      later(from, handler);
    });
  }

  /** Where the stream ends now. Asked once: "$" anew with each read would miss what comes between. */
  private Future<String> newest(Redis client) {
    Request last =
        Request.cmd(Command.XREVRANGE).arg(KEY).arg("+").arg("-").arg("COUNT").arg(1);
    return link.bounded(client.send(last), 0)
        .map(found ->
            found == null || found.size() == 0 ? "0-0" : found.get(0).get(0).toString());
  }

  private void read(Redis client, String from, BiConsumer<UserId, UUID> handler) {
    if (closed) {
      client.close();
      return;
    }
    Request next = Request.cmd(Command.XREAD)
        .arg("BLOCK")
        .arg(BLOCK_MILLIS)
        .arg("STREAMS")
        .arg(KEY)
        .arg(from);
    link.bounded(client.send(next), BLOCK_MILLIS)
        .onSuccess(found -> read(client, deliver(found, from, handler), handler))
        .onFailure(broken -> {
          client.close();
          later(from, handler);
        });
  }

  /** A signal missed while Redis was away is not lost: the lease's renewal carries it too. */
  private void later(String from, BiConsumer<UserId, UUID> handler) {
    if (!closed) {
      vertx.setTimer(RETRY_MILLIS, id -> connect(from, handler));
    }
  }

  private static String deliver(
      @Nullable Response found, String from, BiConsumer<UserId, UUID> handler) {
    String last = from;
    if (found == null) {
      return last;
    }
    // RESP3 answers a map, RESP2 an array of pairs: one stream either way.
    Response entries = found.getKeys() == null ? found.get(0).get(1) : found.get(KEY);
    for (Response entry : entries) {
      last = entry.get(0).toString();
      hand(entry.get(1).get(1).toString(), handler);
    }
    return last;
  }

  /** What is no signal of ours is passed over: it must not stop those behind it. */
  private static void hand(String text, BiConsumer<UserId, UUID> handler) {
    UserId user;
    UUID request;
    try {
      JsonObject signal = new JsonObject(text);
      user = new UserId(signal.getString("u"));
      request = UUID.fromString(signal.getString("r"));
    } catch (RuntimeException notASignal) {
      return;
    }
    handler.accept(user, request);
  }

  /** Stops listening. */
  public void close() {
    closed = true;
    Redis client = reading;
    if (client != null) {
      client.close();
    }
  }
}
