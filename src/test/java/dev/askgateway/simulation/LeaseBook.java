package dev.askgateway.simulation;

import dev.askgateway.simulation.Violation.Rule;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The leases of what runs, by simulated time: read off the statements that take, renew and end them. */
final class LeaseBook {
  private final World world;
  private final Map<UUID, Lease> leases = new HashMap<>();

  private record Lease(String node, long until) {}

  LeaseBook(World world) {
    this.world = world;
  }

  boolean isEmpty() {
    return leases.isEmpty();
  }

  List<UUID> running() {
    return leases.keySet().stream().sorted().toList();
  }

  static boolean begins(String sql) {
    return sql.contains("begin_all(") || sql.contains("begin_turn(");
  }

  static boolean ends(String sql) {
    return sql.contains("finish_all(") || sql.contains("finish_turn(");
  }

  static boolean claims(String sql) {
    return sql.contains("claim_lapsed(");
  }

  static boolean changes(String sql) {
    return begins(sql) || ends(sql);
  }

  /** What a sweeper may take over has to have lapsed in the database, too. */
  void beforeClaim() {
    List<UUID> lapsed = leases.entrySet().stream()
        .filter(one ->
            world.flaw == Flaw.STEALS_LEASES || one.getValue().until() < world.schedule.now())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
    if (!lapsed.isEmpty()) {
      world.bank.lapse(world.persons(), lapsed, true);
    }
  }

  /** Notes what a statement did, in the order of requests where it has none; the rows as they go on. */
  Rows after(String sql, Tuple asked, Rows rows) {
    if (sql.contains("begin_all(")) {
      for (Row row : rows) {
        if (Boolean.TRUE.equals(row.getBoolean(1)) && row.getString(2) == null) {
          int place = row.getInteger(0) - 1;
          take(uuids(asked, 2)[place], asked.getString(0), ((Long[]) asked.getValue(6))[place]);
        }
      }
    } else if (sql.contains("begin_turn(")) {
      if (json(rows).getBoolean("begun")) {
        take(asked.getUUID(1), asked.getString(10), asked.getLong(11));
      }
    } else if (sql.contains("finish_all(")) {
      for (Row row : rows) {
        if (Boolean.TRUE.equals(row.getBoolean(1)) && row.getString(2) == null) {
          leases.remove(uuids(asked, 2)[row.getInteger(0) - 1]);
        }
      }
    } else if (sql.contains("finish_turn(")) {
      if (json(rows).getBoolean("finished")) {
        leases.remove(asked.getUUID(1));
      }
    } else if (sql.contains("renew_leases(")) {
      for (UUID request : uuids(asked, 2)) {
        renew(request, asked.getString(0), asked.getLong(3));
      }
    } else if (claims(sql)) {
      return claimed(asked, rows);
    }
    return rows;
  }

  private Rows claimed(Tuple asked, Rows rows) {
    String node = asked.getString(0);
    for (Row row : rows) {
      Lease lease = leases.get(row.getUUID(1));
      if (lease != null && lease.until() >= world.schedule.now()) {
        throw world.violated(
            Rule.LIVE_LEASE, node + " ends " + row.getUUID(1) + " of " + lease.node());
      }
      take(row.getUUID(1), node, asked.getLong(1));
    }
    return new Rows(
        rows.names(),
        rows.rows().stream()
            .sorted(Comparator.comparing((Row row) -> row.getUUID(1)))
            .toList());
  }

  private void take(UUID request, String node, long millis) {
    leases.put(request, new Lease(node, world.schedule.now() + millis));
  }

  private void renew(UUID request, String node, long millis) {
    leases.computeIfPresent(
        request,
        (id, lease) ->
            lease.node().equals(node) ? new Lease(node, world.schedule.now() + millis) : lease);
  }

  private static UUID[] uuids(Tuple asked, int place) {
    return (UUID[]) asked.getValue(place);
  }

  private static JsonObject json(Rows rows) {
    return rows.rows().get(0).getJsonObject(0);
  }
}
