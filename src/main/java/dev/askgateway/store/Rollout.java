package dev.askgateway.store;

import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rollout as its newest change has it: a share of the accounts has the candidate in place of the control.
 *
 * @param version of that change; each has a larger one than those before
 * @param run names the rollout from its start to its end, and keys the draw of who is in
 * @param control the profile that is replaced; empty for retrieval as it is configured
 * @param candidate the profile, or the version of retrieval, that replaces it
 * @param share per cent of the accounts that have the candidate
 * @param listed accounts that have it whatever the share
 * @param gate what the gateway itself took it back for, or null
 * @param changedAt when that change was made
 */
public record Rollout(
    long version,
    UUID run,
    String name,
    Kind kind,
    State state,
    String control,
    String candidate,
    int share,
    Set<String> listed,
    @Nullable String gate,
    OffsetDateTime changedAt) {

  /** What is replaced. */
  public enum Kind {
    PROFILE,
    RETRIEVAL;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where it stands: nobody has the candidate but while it runs. */
  public enum State {
    RUNNING,
    ROLLED_BACK,
    FINISHED;

    /** As the database and people read it. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Rollout {
    listed = Set.copyOf(listed);
  }

  public boolean isRunning() {
    return state == State.RUNNING;
  }

  static Rollout of(Row row) {
    return new Rollout(
        row.getLong("version"),
        row.getUUID("run"),
        row.getString("name"),
        Kind.valueOf(upper(row, "kind")),
        State.valueOf(upper(row, "state")),
        row.getString("control"),
        row.getString("candidate"),
        row.getInteger("share"),
        Set.copyOf(List.of(row.getArrayOfStrings("listed"))), // one may be named twice
        row.getString("gate"),
        row.getOffsetDateTime("changed_at"));
  }

  private static String upper(Row row, String column) {
    return row.getString(column).toUpperCase(Locale.ROOT);
  }
}
