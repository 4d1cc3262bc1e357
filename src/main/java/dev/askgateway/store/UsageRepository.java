package dev.askgateway.store;

import dev.askgateway.core.Usage;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The usage rows of everybody, for who checks bills: as the owner, never for a request. */
public final class UsageRepository {
  private static final String PAGE = """
      SELECT user_id, request_id, feature = 'embedding' OR billing_source = 'internal' AS embeds, provider, model, input_tokens, cache_read_tokens,
             cache_write_tokens, output_tokens, reasoning_tokens, image_tokens, estimated,
             provider_cost_micro_usd, price_book_version, failed_cost_micro_usd,
             (SELECT sum(t.provider_cost_micro_usd)::bigint FROM ai_usage_attempts t
               WHERE t.user_id = e.user_id AND t.request_id = e.request_id) AS attempts_micro_usd
        FROM ai_usage_events e
       WHERE (user_id, request_id) > ($1, $2)
         AND created_at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
       ORDER BY user_id, request_id LIMIT $4
      """;
  private static final String ATTEMPTS = """
      SELECT user_id, request_id, attempt, purpose = 'embedding' AS embeds, provider, model, input_tokens, cache_read_tokens,
             cache_write_tokens, output_tokens, reasoning_tokens, image_tokens, estimated,
             provider_cost_micro_usd, price_book_version
        FROM ai_usage_attempts
       WHERE (user_id, request_id, attempt) > ($1, $2, $3)
         AND created_at < ($4::date + 1)::timestamp AT TIME ZONE 'UTC'
       ORDER BY user_id, request_id, attempt LIMIT $5
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

  /**
   * The tokens of one call, and what was written down as their cost, in micro-USD.
   *
   * @param embeds whether it was for vectors
   */
  public record Billed(
      boolean embeds,
      String provider,
      String model,
      Usage usage,
      long costMicroUsd,
      String priceBook) {}

  /**
   * A request's row.
   *
   * @param failedCostMicroUsd what its other calls cost
   * @param attemptsMicroUsd the sum of what stands in their own rows; null: it has none
   */
  public record Event(
      Place place,
      Billed billed,
      long failedCostMicroUsd,
      @Nullable Long attemptsMicroUsd) {}

  /**
   * Another call of a request: one that gave nothing, or that for its plan or its vector.
   *
   * @param number counts those of its request, from 1
   */
  public record Attempt(Place place, int number, Billed billed) {
    /** Before all. */
    public static final Attempt NONE =
        new Attempt(Place.START, 0, new Billed(false, "", "", Usage.NONE, 0, ""));
  }

  /** So many rows after a place, of this day in UTC and before; none: that was all. */
  public Future<List<Event>> page(LocalDate asOf, Place after, int limit) {
    return rows(
        PAGE, Tuple.of(after.user(), after.requestId(), asOf, limit), UsageRepository::event);
  }

  /** So many other calls, in the same way. */
  public Future<List<Attempt>> attempts(LocalDate asOf, Attempt after, int limit) {
    Place place = after.place();
    return rows(
        ATTEMPTS,
        Tuple.of(place.user(), place.requestId(), after.number(), asOf, limit),
        row -> new Attempt(place(row), row.getInteger("attempt"), billed(row)));
  }

  private <T> Future<List<T>> rows(String sql, Tuple arguments, Function<Row, T> each) {
    return database.call(sql, arguments).map(rows -> {
      List<T> page = new ArrayList<>();
      rows.forEach(row -> page.add(each.apply(row)));
      return page;
    });
  }

  private static Event event(Row row) {
    return new Event(
        place(row),
        billed(row),
        row.getLong("failed_cost_micro_usd"),
        row.getLong("attempts_micro_usd"));
  }

  private static Place place(Row row) {
    return new Place(row.getString("user_id"), row.getUUID("request_id"));
  }

  private static Billed billed(Row row) {
    return new Billed(
        row.getBoolean("embeds"),
        row.getString("provider"),
        row.getString("model"),
        new Usage(
            row.getLong("input_tokens"),
            row.getLong("cache_read_tokens"),
            row.getLong("cache_write_tokens"),
            row.getLong("output_tokens"),
            row.getLong("reasoning_tokens"),
            row.getLong("image_tokens"),
            row.getBoolean("estimated")),
        row.getLong("provider_cost_micro_usd"),
        row.getString("price_book_version"));
  }
}
