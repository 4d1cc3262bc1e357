package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Whether requests, accounts, grants, ledger and usage agree, over everybody, in one snapshot. */
public final class ReconcileRepository {
  /** How long after its lease a running request is told of: sweepers come within seconds. */
  public static final Duration LAPSED = Duration.ofMinutes(1);

  private static final String REPORT =
      "SELECT reconcile_report($1, $2::float8 * interval '1 millisecond')";
  private static final String COUNTS =
      "SELECT reconcile_counts($1::float8 * interval '1 millisecond')";
  private static final String ACCOUNTS = """
      SELECT user_id, account_copy(a) AS copy FROM budget_accounts a WHERE user_id > $1 ORDER BY user_id LIMIT $2
      """;
  private static final String ACCOUNT =
      "SELECT user_id, account_copy(a) AS copy FROM budget_accounts a WHERE user_id = $1";

  private final Database database;

  public ReconcileRepository(Database database) {
    this.database = database;
  }

  /**
   * One thing that differs.
   *
   * @param kind what, as the database's {@code reconcile} names it
   * @param request null: of the account as a whole
   * @param expected in micro-USD or rows, as the kind has it
   */
  public record Difference(
      String kind, UserId person, @Nullable UUID request, long expected, long found) {}

  /**
   * What was found.
   *
   * @param openHolds requests that hold money now
   * @param kinds how many differences there are of each kind
   * @param differences the first of them, as many as were asked for
   */
  public record Report(
      long requests,
      long accounts,
      long openHolds,
      SortedMap<String, Long> kinds,
      List<Difference> differences) {

    /** All differences, shown or not. */
    public long count() {
      return kinds.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * An account for who compares copies of it.
   *
   * @param copy what {@code account_copy} says of it
   */
  public record Account(UserId user, JsonObject copy) {}

  /** Everything and at most so many differences: on a database {@linkplain Database#ofOwner of the owner}. */
  public Future<Report> report(int limit, Duration lapsed) {
    return database
        .call(REPORT, Tuple.of(limit, (double) lapsed.toMillis()))
        .map(rows -> report(json(rows)));
  }

  /** Numbers alone, for the gateway's role; empty while another node counts. */
  public Future<Optional<Report>> counts(Duration lapsed) {
    return database.owner(COUNTS, Tuple.of((double) lapsed.toMillis())).map(rows -> {
      JsonObject counts = rows.iterator().next().getJsonObject(0);
      return counts == null ? Optional.empty() : Optional.of(report(counts));
    });
  }

  /** So many accounts after this person's, in their order: as the owner. The first is after "". */
  public Future<List<Account>> accounts(String after, int limit) {
    return database.call(ACCOUNTS, Tuple.of(after, limit)).map(ReconcileRepository::accounts);
  }

  /** One account as it stands now: as the owner. */
  public Future<Optional<Account>> account(UserId user) {
    return database.call(ACCOUNT, Tuple.of(user.value())).map(rows -> accounts(rows).stream()
        .findFirst());
  }

  private static List<Account> accounts(RowSet<Row> rows) {
    List<Account> accounts = new ArrayList<>();
    rows.forEach(row ->
        accounts.add(new Account(new UserId(row.getString("user_id")), row.getJsonObject("copy"))));
    return accounts;
  }

  private static JsonObject json(RowSet<Row> rows) {
    return rows.iterator().next().getJsonObject(0);
  }

  private static Report report(JsonObject json) {
    SortedMap<String, Long> kinds = new TreeMap<>();
    for (Map.Entry<String, Object> kind : json.getJsonObject("kinds")) {
      kinds.put(kind.getKey(), ((Number) kind.getValue()).longValue());
    }
    List<Difference> differences = new ArrayList<>();
    if (json.containsKey("rows")) {
      json.getJsonArray("rows").forEach(row -> differences.add(difference((JsonObject) row)));
    }
    return new Report(
        json.getLong("requests"),
        json.getLong("accounts"),
        json.getLong("openHolds"),
        kinds,
        differences);
  }

  private static Difference difference(JsonObject row) {
    String request = row.getString("request");
    return new Difference(
        row.getString("kind"),
        new UserId(row.getString("person")),
        request == null ? null : UUID.fromString(request),
        row.getLong("expected"),
        row.getLong("found"));
  }
}
