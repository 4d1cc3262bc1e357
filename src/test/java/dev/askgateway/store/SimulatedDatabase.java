package dev.askgateway.store;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.time.Duration;

/** The store's own way to a database, over a pool in simulated time. */
public final class SimulatedDatabase {
  /** Real time, which hardly passes in a simulation. */
  private static final Duration NEVER = Duration.ofHours(1);

  private SimulatedDatabase() {}

  public static Database of(Vertx vertx, Pool pool) {
    return new Database(vertx, pool, NEVER, new Database.Limits(NEVER, NEVER));
  }
}
