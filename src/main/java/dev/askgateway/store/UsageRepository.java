package dev.askgateway.store;

import dev.askgateway.core.Usage;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The usage rows of everybody, for who checks bills: as the owner, never for a request. */
public final class UsageRepository {
  private static final String PAGE = """
      SELECT user_id, request_id, feature, provider, model, input_tokens, cache_read_tokens,
             cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd,
             price_book_version
        FROM ai_usage_events
       WHERE (user_id, request_id) > ($1, $2)
         AND created_at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
       ORDER BY user_id, request_id LIMIT $4
      """;

  private final Database database;

  /** @param database one {@linkplain Database#ofOwner of the owner} */
  public UsageRepository(Database database) {
    this.database = database;
  }

  /** Where a page begins: after this row. */
  public record Place(String user, UUID requestId) {
    /** Before all rows: nobody's name is empty. */
    public static final Place START = new Place("", new UUID(0, 0));
  }

  /** What a row says of its cost. */
  public record Billed(
      Place place,
      String feature,
      String provider,
      String model,
      Usage usage,
      long costMicroUsd,
      String priceBook) {}

  /** So many rows after a place, of this day in UTC and before; none: that was all. */
  public Future<List<Billed>> page(LocalDate asOf, Place after, int limit) {
    return database
        .call(PAGE, Tuple.of(after.user(), after.requestId(), asOf, limit))
        .map(rows -> {
          List<Billed> page = new ArrayList<>();
          rows.forEach(row -> page.add(billed(row)));
          return page;
        });
  }

  private static Billed billed(Row row) {
    return new Billed(
        new Place(row.getString("user_id"), row.getUUID("request_id")),
        row.getString("feature"),
        row.getString("provider"),
        row.getString("model"),
        new Usage(
            row.getLong("input_tokens"),
            row.getLong("cache_read_tokens"),
            row.getLong("cache_write_tokens"),
            row.getLong("output_tokens"),
            row.getLong("reasoning_tokens"),
            row.getBoolean("estimated")),
        row.getLong("provider_cost_micro_usd"),
        row.getString("price_book_version"));
  }
}
