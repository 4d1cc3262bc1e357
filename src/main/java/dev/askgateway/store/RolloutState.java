package dev.askgateway.store;

import io.vertx.sqlclient.Row;
import org.jspecify.annotations.Nullable;

/**
 * What operators have changed while nodes run.
 *
 * @param modelsOff whether no model may be called
 * @param rollout the newest one, which may have ended; null: there never was one, or it cannot be read
 * @param readable false: the newest rollout is none that this build knows to read. The switch holds all the same
 */
public record RolloutState(boolean modelsOff, @Nullable Rollout rollout, boolean readable) {

  static RolloutState of(Iterable<Row> rows) {
    boolean off = false;
    Rollout rollout = null;
    boolean readable = true;
    for (Row row : rows) {
      if (row.getString("kind").equals("switch")) {
        off = row.getString("state").equals("off");
      } else {
        try {
          rollout = Rollout.of(row);
        } catch (RuntimeException unknown) {
          readable = false;
        }
      }
    }
    return new RolloutState(off, rollout, readable);
  }
}
