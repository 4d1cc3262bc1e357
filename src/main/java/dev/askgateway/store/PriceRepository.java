package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The price books that were loaded. They are nobody's, and are only ever added to. */
public final class PriceRepository {
  private static final String ADD = """
      INSERT INTO price_books (version, id, valid_from, hash, content) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING
      """;
  private static final String STANDING =
      "SELECT hash FROM price_books WHERE id = $1 AND valid_from = $2";
  private static final String ALL = """
      SELECT version, hash, content, loaded_at FROM price_books ORDER BY loaded_at, version
      """;
  private static final String IN_USE = "AG410";

  private final Database database;

  public PriceRepository(Database database) {
    this.database = database;
  }

  /** A row as it stands. */
  public record Stored(String version, String hash, JsonObject content, OffsetDateTime loadedAt) {}

  /** Adds a book; false when the very same is there. Other content of its id and day is a conflict. */
  public Future<Boolean> add(
      String version, String id, LocalDate validFrom, String hash, JsonObject content) {
    return database
        .call(ADD, Tuple.of(version, id, validFrom, hash, content))
        .compose(rows ->
            rows.rowCount() == 1 ? Future.succeededFuture(true) : standing(id, validFrom, hash))
        .recover(failure -> Future.failedFuture(inUse(failure) ? changed(id, validFrom) : failure));
  }

  /** Two may come at once, and the trigger of the second does not see the first: the key does. */
  private Future<Boolean> standing(String id, LocalDate validFrom, String hash) {
    return database
        .call(STANDING, Tuple.of(id, validFrom))
        .compose(rows -> rows.iterator().next().getString("hash").equals(hash)
            ? Future.succeededFuture(false)
            : Future.failedFuture(changed(id, validFrom)));
  }

  private static boolean inUse(Throwable failure) {
    return failure.getCause() instanceof PgException refused
        && IN_USE.equals(refused.getSqlState());
  }

  private static GatewayError changed(String id, LocalDate validFrom) {
    return new GatewayError(
        GatewayError.Code.REQUEST_CONFLICT,
        "the price book " + id + " of " + validFrom
            + " is there with other prices, and a version in use cannot change:"
            + " give this one another id or validFrom");
  }

  /** All of them, in the order in which they were loaded. */
  public Future<List<Stored>> all() {
    return database.call(ALL, Tuple.tuple()).map(rows -> {
      List<Stored> books = new ArrayList<>();
      for (Row row : rows) {
        books.add(new Stored(
            row.getString("version"),
            row.getString("hash"),
            row.getJsonObject("content"),
            row.getOffsetDateTime("loaded_at")));
      }
      return books;
    });
  }
}
