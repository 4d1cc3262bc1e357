package dev.askgateway.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** What an operator changes while nodes run. Over {@link Database#ofOwner} only. */
public final class RolloutCommands {
  private static final String SWITCH = "SELECT switch_models($1, $2, $3)";

  private final Database owner;

  /** Who makes a change, and why: both are kept with it. */
  public record Author(String name, String reason) {}

  public RolloutCommands(Database owner) {
    this.owner = owner;
  }

  /** Lets models be called, or not; false where it was so already. */
  public Future<Boolean> switchModels(boolean on, Author author) {
    return done(SWITCH, Tuple.of(on ? "on" : "off", author.name(), author.reason()));
  }

  private Future<Boolean> done(String sql, Tuple arguments) {
    return owner.call(sql, arguments).map(rows -> "done"
        .equals(rows.iterator().next().getString(0)));
  }
}
