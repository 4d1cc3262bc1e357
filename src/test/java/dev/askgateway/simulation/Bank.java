package dev.askgateway.simulation;

import dev.askgateway.simulation.Violation.Rule;
import dev.askgateway.store.LedgerRules;
import dev.askgateway.store.StoreConfig;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** The real database: what nodes send it, one statement at a time, and what its owner sees and does. */
final class Bank implements AutoCloseable {
  private final Connection owner;
  private final Connection gateway;
  private final Map<String, Prepared> prepared = new HashMap<>();
  private final List<String> planted = new ArrayList<>();

  Bank(String url) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    gateway = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    execute(owner, "SET search_path = ask, public; SET synchronous_commit = off");
    execute(
        gateway,
        "SET search_path = ask, public; SET synchronous_commit = off; SET ROLE ask_gateway");
  }

  /** Work with the database that needs its exceptions unchecked. */
  private interface Work<T> {
    T run() throws SQLException;
  }

  private static <T> T sql(Work<T> work) {
    try {
      return work.run();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void execute(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Runs a node's statement, in a transaction of its own.
   *
   * @param person for whom, where the statement does not say it itself
   * @throws PgException what the database refuses
   */
  Rows run(String sql, Tuple arguments, @Nullable String person) {
    try {
      gateway.setAutoCommit(person == null);
      try {
        if (person != null) {
          try (PreparedStatement set =
              gateway.prepareStatement("SELECT set_config('ask.user_id', ?, true)")) {
            set.setString(1, person);
            set.execute();
          }
        }
        return statement(sql).rows(gateway, arguments);
      } finally {
        if (person != null) {
          gateway.rollback(); // statements for a person only read
        }
      }
    } catch (PSQLException refused) {
      ServerErrorMessage told = refused.getServerErrorMessage();
      throw new PgException(
          refused.getMessage(),
          "ERROR",
          refused.getSQLState(),
          told == null ? null : told.getDetail());
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** What the operator sets up; credits expire when {@link #creditsExpire} says so. */
  void open(String person, @Nullable Long allowance, long credits, long overage) {
    asOwner(
        "INSERT INTO budget_accounts (user_id, allowance_micro_usd, overage_cap_micro_usd,"
            + " overage_bound_micro_usd) VALUES ($1, $2, $3, $3) RETURNING user_id",
        person,
        allowance,
        overage);
    for (int i = 0; i < credits; i++) {
      asOwner(
          "SELECT grant_credits($1, $2, 200, now() + $3 * interval '1 day')",
          person,
          "payment " + i,
          i + 1);
    }
  }

  /** A month is over: what is of now was of the month before. How much runs over its end. */
  int monthEnds(String person) {
    asOwner(
        "UPDATE answer_requests SET hold_month = hold_month - interval '1 month'"
            + " WHERE user_id = $1 RETURNING 1",
        person);
    asOwner(
        "UPDATE budget_accounts SET month = month - interval '1 month' WHERE user_id = $1 RETURNING 1",
        person);
    return asOwner(
            "SELECT 1 FROM answer_requests WHERE user_id = $1 AND hold_state = 'pending'"
                + " AND hold_micro_usd > 0",
            person)
        .size();
  }

  /** The time of the next credits that can expire has come, if there are any. How much is held of credits. */
  long creditsExpire(String person) {
    Rows expired = asOwner(
        "UPDATE credit_grants SET expires_at = now() - interval '1 second' WHERE user_id = $1"
            + " AND id = (SELECT id FROM credit_grants WHERE user_id = $1 AND expires_at > now()"
            + " AND remaining_micro_usd > 0 ORDER BY expires_at LIMIT 1) RETURNING 1",
        person);
    Rows account = asOwner(
        "UPDATE budget_accounts a SET credits_expire_at = (SELECT min(expires_at) FROM"
            + " credit_grants g WHERE g.user_id = a.user_id AND remaining_micro_usd > 0)"
            + " WHERE user_id = $1 RETURNING credits_held_micro_usd",
        person);
    return expired.size() == 0 ? 0 : account.rows().get(0).getLong(0);
  }

  /** Simulated time has come to the end of these leases; or, if not really, never does. */
  void lapse(List<String> persons, List<UUID> requests, boolean really) {
    asOwner(
        "UPDATE answer_requests SET lease_until = " + (really ? "'-infinity'" : "'infinity'")
            + " WHERE user_id = ANY ($1) AND request_id = ANY ($2) AND status = 'streaming' RETURNING 1",
        persons.toArray(new String[0]),
        requests.toArray(new UUID[0]));
  }

  boolean isHeld(String person, UUID request) {
    return asOwner(
                "SELECT 1 FROM answer_requests WHERE user_id = $1 AND request_id = $2"
                    + " AND hold_state = 'pending'",
                person,
                request)
            .size()
        > 0;
  }

  /** @throws Violation when the books of these persons do not hold */
  void checkBooks(List<String> persons) {
    List<String> broken = sql(() -> LedgerRules.broken(owner, persons));
    if (!broken.isEmpty()) {
      throw new Violation(Rule.BOOKS, broken.toString());
    }
  }

  /** What is left over when all requests have ended and each account has come to this day. */
  Rows leftOver(List<String> persons) {
    persons.forEach(person -> {
      asOwner("SELECT set_config('ask.user_id', $1, false)", person);
      asOwner("SELECT (lock_account($1, '{}')).version", person);
    });
    return asOwner(
        "SELECT * FROM budget_accounts a WHERE user_id = ANY ($1) AND (held_micro_usd <> 0"
            + " OR carried_micro_usd <> 0 OR credits_held_micro_usd <> 0 OR overage_held_micro_usd <> 0"
            + " OR open_holds <> 0 OR month <> date_trunc('month', now() AT TIME ZONE 'UTC')::date"
            + " OR EXISTS (SELECT FROM credit_grants g WHERE g.user_id = a.user_id"
            + " AND expires_at <= now() AND remaining_micro_usd > 0))",
        (Object) persons.toArray(new String[0]));
  }

  /** What the gateway's own comparison of everything finds wrong of persons with such names. */
  Rows drift(String prefix) {
    return asOwner(
        "SELECT * FROM reconcile(interval '1 day') WHERE starts_with(person, $1)", prefix);
  }

  /** Requests as they stand in all tables. */
  Rows requests(List<String> persons) {
    return asOwner("""
        SELECT r.request_id, r.kind, r.status, r.hold_state, r.hold_micro_usd, coalesce(e.provider, '') AS provider,
               e.error_code, coalesce(e.billable_cost_micro_usd, 0) AS billable,
               coalesce(e.provider_cost_micro_usd, 0) AS cost, coalesce(e.failed_cost_micro_usd, 0) AS failed,
               coalesce((SELECT sum(t.provider_cost_micro_usd) FROM ai_usage_attempts t
                          WHERE t.user_id = r.user_id AND t.request_id = r.request_id), 0)::bigint AS attempts,
               (SELECT count(*) FROM ledger_transfers l WHERE l.user_id = r.user_id
                   AND r.request_id = ANY (l.requests) AND l.kind = 'reservation') AS reservations,
               (SELECT count(*) FROM ledger_transfers l WHERE l.user_id = r.user_id
                   AND r.request_id = ANY (l.requests) AND l.kind <> 'reservation') AS ends,
               (SELECT count(*) FROM ai_usage_events u WHERE u.user_id = r.user_id
                   AND u.request_id = r.request_id) AS usages
          FROM answer_requests r LEFT JOIN ai_usage_events e USING (user_id, request_id)
         WHERE r.user_id = ANY ($1) ORDER BY r.request_id
        """, (Object) persons.toArray(new String[0]));
  }

  /** Makes a function of the database another one, until {@link #restore}. */
  void plant(String function, String text, String other) {
    String whole = asOwner("SELECT pg_get_functiondef(($1::text)::regproc) AS f", "ask." + function)
        .rows()
        .get(0)
        .getString("f");
    if (!whole.contains(text)) {
      throw new IllegalStateException(function + " has changed: " + whole);
    }
    planted.add(whole);
    sql(() -> {
      execute(owner, whole.replace(text, other));
      return true;
    });
  }

  void restore() {
    planted.forEach(whole -> sql(() -> {
      execute(owner, whole);
      return true;
    }));
    planted.clear();
  }

  private Prepared statement(String sql) {
    return prepared.computeIfAbsent(sql, Prepared::of);
  }

  private Rows asOwner(String sql, @Nullable Object... arguments) {
    return sql(() -> statement(sql).rows(owner, Tuple.from(Arrays.asList(arguments))));
  }

  @Override
  public void close() throws SQLException {
    gateway.close();
    owner.close();
  }
}
