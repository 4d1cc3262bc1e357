package dev.askgateway.simulation;

import dev.askgateway.core.UserId;
import dev.askgateway.store.HoldCache;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The copy of accounts that all nodes share: it may be empty, away, old or mad. */
final class Copy implements HoldCache {
  private final Schedule schedule;
  private final Map<UserId, JsonObject> accounts = new HashMap<>();

  Copy(Schedule schedule) {
    this.schedule = schedule;
  }

  @Override
  public Future<List<Boolean>> mayHold(List<Want> wants) {
    Promise<List<Boolean>> told = Promise.promise();
    schedule.message(() -> told.complete(wants.stream().map(this::mayHold).toList()));
    return told.future();
  }

  private boolean mayHold(Want want) {
    if (schedule.strikes(Fault.COPY_FLUSHED)) {
      accounts.clear();
    }
    if (schedule.strikes(Fault.COPY_AWAY)) {
      return true;
    }
    if (schedule.strikes(Fault.COPY_NONSENSE)) {
      return schedule.between(0, 1) == 0;
    }
    JsonObject known = accounts.get(want.user());
    Long free = known == null ? null : known.getLong("free");
    return free == null || want.microUsd() <= free;
  }

  @Override
  public void stands(UserId user, JsonObject account, List<UUID> through) {
    JsonObject known = accounts.get(user);
    boolean newer = !account.isEmpty()
        && (known == null || account.getLong("version") > known.getLong("version"));
    if (newer && !schedule.strikes(Fault.COPY_STALE)) {
      accounts.put(user, account);
    }
  }
}
