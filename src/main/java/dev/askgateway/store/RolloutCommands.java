package dev.askgateway.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** What an operator changes while nodes run. Over {@link Database#ofOwner} only. */
public final class RolloutCommands {
  private static final String SWITCH = "SELECT switch_models($1, $2, $3)";
  private static final String START = "SELECT start_rollout($1, $2, $3, $4, $5, $6, $7, $8)";
  private static final String CHANGE =
      "SELECT change_rollout($1, NULL, $2, $3, NULL, NULL, $4, $5)";
  private static final String HISTORY = """
      SELECT concat_ws('  ', to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), name, state,
                       CASE WHEN kind <> 'switch' THEN concat(share, ' % and ', cardinality(listed), ' listed') END,
                       CASE kind WHEN 'profile' THEN control || ' -> ' || candidate WHEN 'retrieval' THEN 'retrieval ' || candidate END,
                       'by ' || changed_by, nullif(reason, ''), numbers::text) AS line
        FROM rollout_changes ORDER BY version DESC LIMIT 20
      """;

  private final Database owner;

  /** Who makes a change, and why: both are kept with it. */
  public record Author(String name, String reason) {}

  /** A rollout that is to begin, see {@link Rollout}. */
  public record Wanted(
      String name,
      Rollout.Kind kind,
      String control,
      String candidate,
      int share,
      List<String> listed) {}

  public RolloutCommands(Database owner) {
    this.owner = owner;
  }

  /** Lets models be called, or not; false where it was so already. */
  public Future<Boolean> switchModels(boolean on, Author author) {
    return done(SWITCH, Tuple.of(on ? "on" : "off", author.name(), author.reason()));
  }

  /** Begins a rollout; false where another one runs. */
  public Future<Boolean> start(Wanted wanted, Author author) {
    return done(
        START,
        Tuple.of(
            wanted.name(),
            wanted.kind().wire(),
            wanted.control(),
            wanted.candidate(),
            wanted.share(),
            wanted.listed().toArray(String[]::new),
            author.name(),
            author.reason()));
  }

  /** Changes the rollout that runs; false where none of that name does, or it is so already. */
  public Future<Boolean> change(String name, Rollout.State state, int share, Author author) {
    return done(CHANGE, Tuple.of(name, state.wire(), share, author.name(), author.reason()));
  }

  /** The newest changes in words, the newest first. */
  public Future<List<String>> history() {
    return owner.call(HISTORY, Tuple.tuple()).map(rows -> {
      List<String> lines = new ArrayList<>();
      rows.forEach(row -> lines.add(row.getString("line")));
      return List.copyOf(lines);
    });
  }

  private Future<Boolean> done(String sql, Tuple arguments) {
    return owner.call(sql, arguments).map(rows -> "done"
        .equals(rows.iterator().next().getString(0)));
  }
}
