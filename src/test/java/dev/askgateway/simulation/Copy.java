package dev.askgateway.simulation;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/** The copy of accounts that all nodes share (store/HoldCache): it may be empty, away, old or mad. */
final class Copy {
  private final Schedule schedule;
  private final Map<String, JsonObject> accounts = new HashMap<>();

  Copy(Schedule schedule) {
    this.schedule = schedule;
  }

  /** As far as it knows: who asks must look further in the database when it is no. */
  boolean mayHold(Request request) {
    if (schedule.strikes(Fault.COPY_FLUSHED)) {
      accounts.clear();
    }
    if (schedule.strikes(Fault.COPY_AWAY)) {
      return true;
    }
    if (schedule.strikes(Fault.COPY_NONSENSE)) {
      return schedule.between(0, 1) == 0;
    }
    JsonObject known = accounts.get(request.person());
    Long free = known == null ? null : known.getLong("free");
    return free == null || request.holdMicroUsd() <= free;
  }

  /** An account after a transaction; what is older than what it knows it leaves out. */
  void stands(String person, JsonObject account) {
    JsonObject known = accounts.get(person);
    boolean newer = known == null || account.getLong("version") > known.getLong("version");
    if (newer && !schedule.strikes(Fault.COPY_STALE)) {
      accounts.put(person, account);
    }
  }
}
