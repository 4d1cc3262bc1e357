package dev.askgateway.store;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an operator does with the versions of the index. Over {@link Database#ofOwner} only. */
public final class VersionCommands {
  private static final String BUILD = "SELECT * FROM build_embedding_version($1, $2, $3, $4)";
  private static final String CUTOVER = "SELECT * FROM cutover_embedding_version($1)";
  private static final String ROLLBACK = "SELECT rollback_embedding_version() AS outcome";
  private static final String END = "SELECT id FROM end_embedding_versions() AS id";
  private static final String REMOVE = "SELECT remove_embedding_version($1, $2) AS gone";
  private static final String REPORT = "SELECT embedding_report() AS report";

  /** Persons whose vectors are removed in one transaction. */
  private static final int PERSONS_AT_ONCE = 50;

  private final Database owner;

  public VersionCommands(Database owner) {
    this.owner = owner;
  }

  /** What became of a wish to build. Only the first two change something. */
  public enum Built {
    BEGUN,
    RESUMED,
    /** That model serves already. */
    SERVING,
    /** Another version is being built. */
    BUILDING,
    /** The version before the active one is still kept. */
    RETIRING
  }

  /** What became of a wish to cut over. Only the first changes something. */
  public enum Cut {
    DONE,
    /** Nothing is being built. */
    NONE,
    INCOMPLETE,
    /** Some node that is up has not the model. */
    NODES
  }

  /**
   * A cutover.
   *
   * @param missing messages without their vector, those of the last minute apart
   * @param parked messages that the model refuses
   * @param nodes nodes that are up and have not the model
   */
  public record Cutover(Cut outcome, long missing, long parked, long nodes) {}

  /** What became of a wish to go back. */
  public enum Back {
    /** The version before serves again. */
    BACK,
    /** There was none; the one that was being built is given up. */
    STOPPED,
    NONE
  }

  /**
   * Begins a version with a model, or goes on with one that was begun.
   *
   * @param again whether to build a model anew that serves already
   */
  public Future<Built> build(String profileId, String model, int dimensions, boolean again) {
    return owner
        .call(BUILD, Tuple.of(profileId, model, dimensions, again))
        .map(rows -> Built.valueOf(outcome(rows.iterator().next())));
  }

  /** Puts the version that is being built in service, if it is complete. */
  public Future<Cutover> cutover(long mostParked) {
    return owner.call(CUTOVER, Tuple.of(mostParked)).map(rows -> {
      Row row = rows.iterator().next();
      return new Cutover(
          Cut.valueOf(outcome(row)),
          number(row.getLong("missing")),
          number(row.getLong("parked")),
          number(row.getLong("nodes")));
    });
  }

  public Future<Back> rollback() {
    return owner
        .call(ROLLBACK, Tuple.tuple())
        .map(rows -> Back.valueOf(outcome(rows.iterator().next())));
  }

  /** Removes what was kept to go back to, and what was given up; returns how many vectors that were. */
  public Future<Long> remove() {
    return owner.call(END, Tuple.tuple()).compose(rows -> {
      List<Integer> ended = new ArrayList<>();
      rows.forEach(row -> ended.add(row.getInteger("id")));
      Future<Long> all = Future.succeededFuture(0L);
      for (int id : ended) {
        all = all.compose(before -> remove(id, before));
      }
      return all;
    });
  }

  private Future<Long> remove(int id, long before) {
    return owner.call(REMOVE, Tuple.of(id, PERSONS_AT_ONCE)).compose(rows -> {
      Long gone = rows.iterator().next().getLong("gone");
      return gone == null ? Future.succeededFuture(before) : remove(id, before + gone);
    });
  }

  /**
   * Every version with its counts: {@code {"messages", "nodes", "versions": [{"profile", "version",
   * "model", "dimensions", "state", "since", "vectors", "waiting", "parked": {code: count}, "persons",
   * "unlisted", "failing", "nodesWithout"}]}}.
   */
  public Future<JsonObject> report() {
    return owner
        .call(REPORT, Tuple.tuple())
        .map(rows -> rows.iterator().next().getJsonObject("report"));
  }

  private static String outcome(Row row) {
    return row.getString("outcome").toUpperCase(Locale.ROOT);
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
