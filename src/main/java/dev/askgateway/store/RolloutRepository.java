package dev.askgateway.store;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.util.EnumMap;
import java.util.Map;

/** Rollouts and the switch of models, as nodes see them. */
public final class RolloutRepository {
  private static final String STATE = "SELECT * FROM rollout_state()";
  private static final String MEASURES = "SELECT * FROM rollout_measures($1, $2, $3, $4)";
  private static final String TAKE_BACK = "SELECT take_rollout_back($1, $2, $3, $4)";

  private final Database database;

  public RolloutRepository(Database database) {
    this.database = database;
  }

  /** What holds now. */
  public Future<RolloutState> state() {
    return database.owner(STATE, Tuple.tuple()).map(RolloutState::of);
  }

  /**
   * How the answers of each arm went that began since the rollout was last changed.
   *
   * @param most answers of an arm that are looked at, the newest
   * @param slower how many times the control's p95 an answer of another arm takes to be slow
   */
  public Future<Map<Arm.Place, RolloutMeasures>> measures(
      Rollout rollout, int most, double slower) {
    Tuple arguments = Tuple.of(rollout.run(), rollout.changedAt(), most, slower);
    return database.owner(MEASURES, arguments).map(rows -> {
      Map<Arm.Place, RolloutMeasures> arms = new EnumMap<>(Arm.Place.class);
      rows.forEach(
          row -> arms.put(Arm.Place.ofWire(row.getString("arm")), RolloutMeasures.of(row)));
      return arms;
    });
  }

  /**
   * Takes a rollout back; false where somebody has changed it since, and it stays as it is.
   *
   * @param gate what for
   * @param numbers what that was judged by
   */
  public Future<Boolean> takeBack(Rollout rollout, String gate, JsonObject numbers) {
    return database
        .owner(TAKE_BACK, Tuple.of(rollout.name(), rollout.version(), gate, numbers))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }
}
