package dev.askgateway.store;

import io.vertx.sqlclient.Row;
import org.jspecify.annotations.Nullable;

/**
 * What operators have changed while nodes run.
 *
 * @param modelsOff whether no model may be called
 * @param rollout the newest one, which may have ended; null: there never was one
 */
public record RolloutState(boolean modelsOff, @Nullable Rollout rollout) {

  static RolloutState of(Iterable<Row> rows) {
    boolean off = false;
    Rollout rollout = null;
    for (Row row : rows) {
      if (row.getString("kind").equals("switch")) {
        off = row.getString("state").equals("off");
      } else {
        rollout = Rollout.of(row);
      }
    }
    return new RolloutState(off, rollout);
  }
}
