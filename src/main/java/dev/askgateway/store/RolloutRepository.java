package dev.askgateway.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** Rollouts and the switch of models, as nodes see them. */
public final class RolloutRepository {
  private static final String STATE = "SELECT * FROM rollout_state()";

  private final Database database;

  public RolloutRepository(Database database) {
    this.database = database;
  }

  /** What holds now. */
  public Future<RolloutState> state() {
    return database.owner(STATE, Tuple.tuple()).map(RolloutState::of);
  }
}
