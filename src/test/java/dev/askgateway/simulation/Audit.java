package dev.askgateway.simulation;

import dev.askgateway.simulation.Violation.Rule;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What a run has left in the database, held against what its models know. */
record Audit(World world, Map<UUID, Request> asked) {
  private static final Set<String> ENDS = Set.of("completed", "failed", "cancelled");

  /**
   * What was seen while it ran.
   *
   * @param replies to clients, whole or not
   * @param replayed of those, what had been told to another one before
   * @param overMonths holds that were open when a month ended
   * @param expiredHeld how often credits expired of which some were held
   */
  record Seen(int replies, int replayed, int overMonths, int expiredHeld) {}

  /**
   * What a run came to.
   *
   * @param hedged for how many two models were at work
   * @param swept those that others ended, because their node had died or could not tell
   * @param bounded those whose model reported more than was held
   */
  record Outcome(
      long steps,
      int requests,
      int begun,
      int calls,
      int hedged,
      Seen seen,
      int swept,
      int bounded,
      long billedMicroUsd) {}

  Outcome outcome(Seen seen) {
    Rows rows = world.bank.requests(world.persons());
    int swept = 0;
    int bounded = 0;
    long billed = 0;
    for (Row row : rows) {
      checkEnd(row);
      Request request = asked.get(row.getUUID("request_id"));
      if (request == null) {
        throw new Violation(Rule.KNOWN, "nobody asked for " + text(row));
      }
      boolean isSwept = row.getString("provider").equals("none")
          && "interrupted".equals(row.getString("error_code"));
      if (isSwept) {
        checkFree(row);
      } else {
        checkBill(row, request);
      }
      swept += isSwept ? 1 : 0;
      bounded += row.getLong("cost") > row.getLong("hold_micro_usd") ? 1 : 0;
      billed += row.getLong("billable");
    }
    Rows left = world.bank.leftOver(world.persons());
    if (left.size() > 0) {
      throw new Violation(Rule.NOTHING_LEFT, text(left.rows().get(0)));
    }
    world.bank.checkBooks(world.persons());
    return new Outcome(
        world.schedule.steps(),
        asked.size(),
        rows.size(),
        world.upstream.calls(),
        world.upstream.hedged(),
        seen,
        swept,
        bounded,
        billed);
  }

  private static void checkEnd(Row row) {
    boolean ended = ENDS.contains(row.getString("status"))
        && row.getString("hold_state") != null
        && !row.getString("hold_state").equals("pending");
    if (!ended
        || row.getLong("usages") != 1
        || row.getLong("reservations") != 1
        || row.getLong("ends") != 1) {
      throw new Violation(Rule.ONE_END, text(row));
    }
  }

  private static void checkFree(Row row) {
    if (row.getLong("billable") + row.getLong("cost") + row.getLong("failed") != 0) {
      throw new Violation(Rule.BILL, "nobody knows what it used: " + text(row));
    }
  }

  private void checkBill(Row row, Request request) {
    long used = world.upstream.costMicroUsd(request);
    long cost = row.getLong("cost");
    if (cost + row.getLong("failed") != used
        || row.getLong("failed") != row.getLong("attempts").longValue()) {
      throw new Violation(Rule.BILL, "its calls used " + used + ": " + text(row));
    }
    Call spoke = world.upstream.speaking(request.id());
    if (spoke != null && cost != spoke.costMicroUsd()) {
      throw new Violation(Rule.BILL, "it is not that of " + spoke.model + ": " + text(row));
    }
    boolean completed = row.getString("status").equals("completed");
    boolean pays = completed || spoke != null || row.getString("status").equals("cancelled");
    long expected = pays ? Math.min(cost, row.getLong("hold_micro_usd")) : 0;
    if (row.getLong("billable") != expected) {
      throw new Violation(Rule.BILL, "to be " + expected + ": " + text(row));
    }
  }

  private static String text(Row row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      text.append(row.getColumnName(i)).append(' ').append(row.getValue(i)).append(", ");
    }
    return text.toString();
  }

  static String sum(List<Outcome> outcomes) {
    return "runs " + outcomes.size() + ", steps "
        + outcomes.stream().mapToLong(Outcome::steps).sum() + ", requests "
        + outcomes.stream().mapToLong(Outcome::requests).sum() + ", begun "
        + outcomes.stream().mapToLong(Outcome::begun).sum() + ", model calls "
        + outcomes.stream().mapToLong(Outcome::calls).sum() + ", hedged "
        + outcomes.stream().mapToLong(Outcome::hedged).sum() + ", replies "
        + outcomes.stream().mapToLong(one -> one.seen().replies()).sum() + ", replayed "
        + outcomes.stream().mapToLong(one -> one.seen().replayed()).sum() + ", held over a month "
        + outcomes.stream().mapToLong(one -> one.seen().overMonths()).sum() + ", expired held "
        + outcomes.stream().mapToLong(one -> one.seen().expiredHeld()).sum() + ", swept "
        + outcomes.stream().mapToLong(Outcome::swept).sum() + ", bounded by the hold "
        + outcomes.stream().mapToLong(Outcome::bounded).sum() + ", billed micro-USD "
        + outcomes.stream().mapToLong(Outcome::billedMicroUsd).sum() + ", violations 0";
  }
}
