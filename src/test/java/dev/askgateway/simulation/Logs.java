package dev.askgateway.simulation;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.ReplayEvent;
import dev.askgateway.core.ReplayEventCodec;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What was told of requests with a key, by the rules of {@code RedisEventLog}: an entry is at the place of
 * its first event, and one that is not above the last is there already.
 */
final class Logs implements EventLog<ReplayEvent> {
  private final World world;
  private final Map<UUID, TreeMap<Long, String>> logs = new HashMap<>();

  /** That of turns is away: whoever needs it asks the database. */
  static final EventLog<AnswerEvent> NONE_OF_TURNS = new EventLog<>() {
    @Override
    public Future<Void> append(UserId user, UUID id, long position, List<AnswerEvent> events) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Batch<AnswerEvent>> read(UserId user, UUID id, long position) {
      return Future.succeededFuture(new Batch<>(List.of(), false));
    }
  };

  Logs(World world) {
    this.world = world;
  }

  @Override
  public Future<Void> append(UserId user, UUID id, long position, List<ReplayEvent> events) {
    String entry = ReplayEventCodec.encode(events);
    Promise<Void> done = Promise.promise();
    world.schedule.message(() -> {
      if (world.schedule.strikes(Fault.LOG_FLUSHED)) {
        logs.clear();
      }
      if (world.schedule.strikes(Fault.LOG_AWAY)) {
        done.fail("away");
        return;
      }
      TreeMap<Long, String> log = logs.computeIfAbsent(id, first -> new TreeMap<>());
      if (log.isEmpty() || position > log.lastKey()) {
        log.put(position, entry);
      }
      if (world.schedule.strikes(Fault.LOG_REPLY_LOST)) {
        done.fail("nothing was heard");
      } else {
        done.complete();
      }
    });
    return done.future();
  }

  @Override
  public Future<Batch<ReplayEvent>> read(UserId user, UUID id, long position) {
    Promise<Batch<ReplayEvent>> done = Promise.promise();
    world.schedule.message(() -> {
      if (world.schedule.strikes(Fault.LOG_AWAY)) {
        done.fail("away");
      } else {
        done.complete(found(logs.getOrDefault(id, new TreeMap<>()), position));
      }
    });
    return done.future();
  }

  private Batch<ReplayEvent> found(TreeMap<Long, String> log, long position) {
    List<ReplayEvent> events = new ArrayList<>();
    for (Map.Entry<Long, String> entry : log.tailMap(position).entrySet()) {
      boolean gap = entry.getKey() != position + events.size();
      if (gap && world.flaw != Flaw.TELLS_PAST_A_GAP) {
        return new Batch<>(events, true);
      }
      events.addAll(ReplayEventCodec.decode(entry.getValue()));
    }
    return new Batch<>(events, false);
  }
}
