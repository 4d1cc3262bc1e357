package dev.askgateway.simulation;

import dev.askgateway.simulation.Violation.Rule;
import dev.askgateway.store.LedgerRules;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.json.JsonObject;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real database, by the calls that the store makes, one at a time. */
final class Bank implements AutoCloseable {
  /** Leases lapse by simulated time ({@link #lapse}), not while a test runs. */
  private static final long LEASE_MILLIS = 86_400_000;

  private static final String POLICY = "{\"openHolds\": 20}";

  private final Connection owner;
  private final Connection gateway;

  /** What came of a beginning: begun, used or a refusal's SQLSTATE. */
  record Begun(String answer, @Nullable JsonObject account) {
    boolean begun() {
      return answer.equals("true");
    }

    boolean used() {
      return answer.equals("false");
    }
  }

  record End(Request request, JsonObject end) {}

  record Lapsed(String person, UUID request) {}

  /** A request as it stands in all tables. */
  record Row(
      UUID request,
      String status,
      @Nullable String hold,
      long holdMicroUsd,
      String provider,
      @Nullable String error,
      long billableMicroUsd,
      long failedMicroUsd,
      long attemptsMicroUsd,
      int reservations,
      int ends,
      int usages) {}

  Bank(String url) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    gateway = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    execute(owner, "SET search_path = ask, public; SET synchronous_commit = off");
    execute(
        gateway,
        "SET search_path = ask, public; SET synchronous_commit = off;" + " SET ROLE ask_gateway");
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

  void open(String person, @Nullable Long allowance, long credits, long overage) {
    sql(() -> {
      try (PreparedStatement insert = owner.prepareStatement("INSERT INTO budget_accounts (user_id,"
          + " allowance_micro_usd, overage_cap_micro_usd, overage_bound_micro_usd)"
          + " VALUES (?, ?, ?, ?)")) {
        insert.setString(1, person);
        insert.setObject(2, allowance);
        insert.setLong(3, overage);
        insert.setLong(4, overage);
        insert.execute();
      }
      if (credits > 0) {
        execute(owner, "SELECT grant_credits('" + person + "', 'first', " + credits + ", NULL)");
      }
      return true;
    });
  }

  boolean couldHold(Request request) {
    return sql(() -> {
      try (PreparedStatement call =
          gateway.prepareStatement("SELECT check_hold(?, ?, ?, ?::jsonb) IS NULL")) {
        call.setString(1, request.person());
        call.setObject(2, request.id());
        call.setLong(3, request.holdMicroUsd());
        call.setString(4, POLICY);
        return first(call).equals("t");
      }
    });
  }

  List<Begun> beginAll(String node, List<Request> requests) {
    return sql(() -> {
      try (PreparedStatement call = gateway.prepareStatement(
          "SELECT coalesce(refusal, begun::text), account FROM begin_all(?, ?, ?, ?::text[]::bytea[],"
              + " ?, ?, ?, ?, ?, ?::jsonb) ORDER BY place")) {
        int n = requests.size();
        call.setString(1, node);
        call.setArray(2, array("text", requests.stream().map(Request::person)));
        call.setArray(3, array("uuid", requests.stream().map(Request::id)));
        call.setArray(4, array("text", Collections.nCopies(n, "\\x00").stream()));
        call.setArray(5, array("text", Collections.nCopies(n, "completion").stream()));
        call.setArray(6, array("text", Collections.nCopies(n, "profile").stream()));
        call.setArray(7, array("int8", Collections.nCopies(n, LEASE_MILLIS).stream()));
        call.setArray(8, array("int8", requests.stream().map(Request::holdMicroUsd)));
        call.setArray(9, array("text", Collections.nCopies(n, Upstream.BOOK.version()).stream()));
        call.setString(10, POLICY);
        return begun(call);
      }
    });
  }

  Begun beginTurn(String node, Request request) {
    return sql(() -> {
      try (PreparedStatement call = gateway.prepareStatement(
          "SELECT b ->> 'begun', b -> 'account' FROM begin_turn(?, ?, '\\x00', 'new', NULL, NULL, NULL,"
              + " '{}', 'q', 'profile', ?, ?, ?, ?, 0, ?::jsonb) b")) {
        call.setString(1, request.person());
        call.setObject(2, request.id());
        call.setString(3, node);
        call.setLong(4, LEASE_MILLIS);
        call.setLong(5, request.holdMicroUsd());
        call.setString(6, Upstream.BOOK.version());
        call.setString(7, POLICY);
        return begun(call).get(0);
      } catch (SQLException refused) {
        if (!refused.getSQLState().startsWith("AG4")) {
          throw refused;
        }
        return new Begun(refused.getSQLState(), null);
      }
    });
  }

  List<Begun> finishAll(String node, List<End> ends) {
    return sql(() -> {
      try (PreparedStatement call = gateway.prepareStatement(
          "SELECT coalesce(refusal, finished::text), account FROM finish_all(?, ?, ?,"
              + " ?::text[]::jsonb[], ?::jsonb) ORDER BY place")) {
        call.setString(1, node);
        call.setArray(2, array("text", ends.stream().map(end -> end.request().person())));
        call.setArray(3, array("uuid", ends.stream().map(end -> end.request().id())));
        call.setArray(4, array("text", ends.stream().map(end -> end.end().encode())));
        call.setString(5, POLICY);
        return begun(call);
      }
    });
  }

  Begun finishTurn(String node, String person, UUID request, JsonObject end) {
    return sql(() -> {
      try (PreparedStatement call = gateway.prepareStatement(
          "SELECT f ->> 'finished', f -> 'account' FROM finish_turn(?, ?, ?, ?::jsonb, ?::jsonb) f")) {
        call.setString(1, person);
        call.setObject(2, request);
        call.setString(3, node);
        call.setString(4, end.encode());
        call.setString(5, POLICY);
        return begun(call).get(0);
      }
    });
  }

  /** Renews what is this node's; answers what is so no more. */
  List<UUID> renew(String node, List<Request> running) {
    return sql(() -> {
      try (PreparedStatement call =
          gateway.prepareStatement("SELECT request_id FROM renew_leases(?, ?, ?, ?) WHERE lost")) {
        call.setString(1, node);
        call.setArray(2, array("text", running.stream().map(Request::person)));
        call.setArray(3, array("uuid", running.stream().map(Request::id)));
        call.setLong(4, LEASE_MILLIS);
        return uuids(call);
      }
    });
  }

  /** Simulated time has come to the end of these leases; or, if not really, never does. */
  void lapse(List<String> persons, List<UUID> requests, boolean really) {
    sql(() -> {
      try (PreparedStatement update = owner.prepareStatement(
          "UPDATE answer_requests SET lease_until = " + (really ? "'-infinity'" : "'infinity'")
              + " WHERE user_id = ANY (?) AND request_id = ANY (?) AND status = 'streaming'")) {
        update.setArray(1, array("text", persons.stream()));
        update.setArray(2, array("uuid", requests.stream()));
        return update.executeUpdate();
      }
    });
  }

  List<Lapsed> claim(String node) {
    return sql(() -> {
      try (PreparedStatement call =
          gateway.prepareStatement("SELECT user_id, request_id FROM claim_lapsed(?, ?, 20)")) {
        call.setString(1, node);
        call.setLong(2, LEASE_MILLIS);
        List<Lapsed> lapsed = new ArrayList<>();
        try (ResultSet rows = call.executeQuery()) {
          while (rows.next()) {
            lapsed.add(new Lapsed(rows.getString(1), rows.getObject(2, UUID.class)));
          }
        }
        return lapsed;
      }
    });
  }

  boolean isHeld(Request request) {
    return sql(() -> {
      try (PreparedStatement query = owner.prepareStatement(
          "SELECT count(*) > 0 FROM answer_requests WHERE user_id = ? AND request_id = ?"
              + " AND hold_state = 'pending'")) {
        query.setString(1, request.person());
        query.setObject(2, request.id());
        return first(query).equals("t");
      }
    });
  }

  /** @throws Violation when the books of these persons do not hold */
  void checkBooks(List<String> persons) {
    List<String> broken = sql(() -> LedgerRules.broken(owner, persons));
    if (!broken.isEmpty()) {
      throw new Violation(Rule.BOOKS, broken.toString());
    }
  }

  List<Row> rows(List<String> persons) {
    return sql(() -> {
      try (PreparedStatement query = owner.prepareStatement("""
          SELECT r.request_id, r.status, r.hold_state, r.hold_micro_usd, coalesce(e.provider, ''), e.error_code,
                 coalesce(e.billable_cost_micro_usd, 0), coalesce(e.failed_cost_micro_usd, 0),
                 coalesce((SELECT sum(t.provider_cost_micro_usd) FROM ai_usage_attempts t
                            WHERE t.user_id = r.user_id AND t.request_id = r.request_id), 0),
                 (SELECT count(*) FROM ledger_transfers l WHERE l.user_id = r.user_id
                     AND r.request_id = ANY (l.requests) AND l.kind = 'reservation'),
                 (SELECT count(*) FROM ledger_transfers l WHERE l.user_id = r.user_id
                     AND r.request_id = ANY (l.requests) AND l.kind <> 'reservation'),
                 (SELECT count(*) FROM ai_usage_events u WHERE u.user_id = r.user_id
                     AND u.request_id = r.request_id)
            FROM answer_requests r LEFT JOIN ai_usage_events e USING (user_id, request_id)
           WHERE r.user_id = ANY (?)
          """)) {
        query.setArray(1, array("text", persons.stream()));
        List<Row> rows = new ArrayList<>();
        try (ResultSet found = query.executeQuery()) {
          while (found.next()) {
            rows.add(new Row(
                found.getObject(1, UUID.class),
                found.getString(2),
                found.getString(3),
                found.getLong(4),
                found.getString(5),
                found.getString(6),
                found.getLong(7),
                found.getLong(8),
                found.getLong(9),
                found.getInt(10),
                found.getInt(11),
                found.getInt(12)));
          }
        }
        return rows;
      }
    });
  }

  private Array array(String type, Stream<?> values) throws SQLException {
    return owner.createArrayOf(type, values.toArray());
  }

  private static String first(PreparedStatement query) throws SQLException {
    try (ResultSet found = query.executeQuery()) {
      found.next();
      return found.getString(1);
    }
  }

  private static List<Begun> begun(PreparedStatement call) throws SQLException {
    List<Begun> answers = new ArrayList<>();
    try (ResultSet rows = call.executeQuery()) {
      while (rows.next()) {
        String account = rows.getString(2);
        answers.add(new Begun(rows.getString(1), account == null ? null : new JsonObject(account)));
      }
    }
    return answers;
  }

  private static List<UUID> uuids(PreparedStatement call) throws SQLException {
    List<UUID> found = new ArrayList<>();
    try (ResultSet rows = call.executeQuery()) {
      while (rows.next()) {
        found.add(rows.getObject(1, UUID.class));
      }
    }
    return found;
  }

  @Override
  public void close() throws SQLException {
    gateway.close();
    owner.close();
  }
}
