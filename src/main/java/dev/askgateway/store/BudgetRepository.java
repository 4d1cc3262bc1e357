package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.store.BudgetChange.Setting;
import dev.askgateway.store.UsageTotals.Requests;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One person's account: what is in it, what was used, what it was charged for, and its limits. */
public final class BudgetRepository {
  /** Longest page of a statement. */
  public static final int MAX_PAGE = 200;

  // Where a month has ended or credits have expired, the account is brought up to now with it.
  private static final String ACCOUNT = """
      SELECT a.*, CASE WHEN a.day = (now() AT TIME ZONE 'UTC')::date THEN a.day_spent_micro_usd ELSE 0 END AS today
        FROM lock_account($1, $2) AS a
      """;
  private static final String EXISTS = "SELECT FROM budget_accounts WHERE user_id = $1";
  private static final String NEXT_EXPIRY = """
      SELECT expires_at, sum(remaining_micro_usd)::bigint AS amount FROM credit_grants
       WHERE user_id = $1 AND remaining_micro_usd > 0 AND expires_at > now()
       GROUP BY expires_at ORDER BY expires_at LIMIT 1
      """;
  // An overage cap below what is gone of the month holds from the next one: nothing is taken back.
  private static final String CHANGE = """
      UPDATE budget_accounts
         SET overage_cap_micro_usd = CASE WHEN $2 THEN $3::bigint ELSE overage_cap_micro_usd END,
             overage_bound_micro_usd = CASE WHEN $2
               THEN greatest(coalesce($3::bigint, 0), overage_spent_micro_usd + overage_held_micro_usd)
               ELSE overage_bound_micro_usd END,
             request_cap_micro_usd = CASE WHEN $4 THEN $5::bigint ELSE request_cap_micro_usd END,
             daily_warning_micro_usd = CASE WHEN $6 THEN $7::bigint ELSE daily_warning_micro_usd END,
             version = version + 1
       WHERE user_id = $1
      """;
  private static final String SET_MONTHLY = """
      UPDATE budget_accounts SET allowance_micro_usd = $2::bigint, version = version + 1
       WHERE user_id = $1 AND coalesce(held_micro_usd + spent_micro_usd <= $2::bigint, true)
      """;
  private static final String GRANT = "SELECT grant_credits($1, $2, $3, $4)";
  private static final String TOP_UP = "SELECT top_up($1, $2, $3, $4, $5, $6, $7, $8, $9)";
  private static final String USAGE = """
      SELECT feature, provider, model,
             count(*) FILTER (WHERE NOT own) AS requests,
             coalesce(sum(input_tokens) FILTER (WHERE NOT own), 0)::bigint AS input,
             coalesce(sum(cache_read_tokens) FILTER (WHERE NOT own), 0)::bigint AS cache_read,
             coalesce(sum(cache_write_tokens) FILTER (WHERE NOT own), 0)::bigint AS cache_write,
             coalesce(sum(output_tokens) FILTER (WHERE NOT own), 0)::bigint AS output,
             coalesce(sum(reasoning_tokens) FILTER (WHERE NOT own), 0)::bigint AS reasoning,
             coalesce(sum(image_tokens) FILTER (WHERE NOT own), 0)::bigint AS image,
             coalesce(bool_or(estimated) FILTER (WHERE NOT own), false) AS estimated,
             coalesce(sum(billable_cost_micro_usd), 0)::bigint AS billable,
             count(*) FILTER (WHERE own) AS own_requests,
             coalesce(sum(input_tokens) FILTER (WHERE own), 0)::bigint AS own_input,
             coalesce(sum(cache_read_tokens) FILTER (WHERE own), 0)::bigint AS own_cache_read,
             coalesce(sum(cache_write_tokens) FILTER (WHERE own), 0)::bigint AS own_cache_write,
             coalesce(sum(output_tokens) FILTER (WHERE own), 0)::bigint AS own_output,
             coalesce(sum(reasoning_tokens) FILTER (WHERE own), 0)::bigint AS own_reasoning,
             coalesce(sum(image_tokens) FILTER (WHERE own), 0)::bigint AS own_image,
             coalesce(bool_or(estimated) FILTER (WHERE own), false) AS own_estimated
        FROM (SELECT *, billing_source = 'byok' AS own FROM ai_usage_events
               WHERE user_id = $1 AND billing_source <> 'internal' AND created_at >= $2::date::timestamp AT TIME ZONE 'UTC'
                 AND created_at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC') u
       GROUP BY GROUPING SETS ((), (feature), (provider, model))
       ORDER BY billable DESC, requests DESC, feature, provider, model
      """;

  private final Database database;
  private final BudgetPolicy policy;

  /**
   * Reads and changes accounts.
   *
   * @param database for {@code monthly} and {@link #grant} one {@linkplain Database#ofOwner of the
   *     owner}: what an account may spend is not the gateway's to write
   * @param policy what holds for accounts that say nothing else
   */
  public BudgetRepository(Database database, BudgetPolicy policy) {
    this.database = database;
    this.policy = policy;
  }

  /** The account as it stands now; that of a person who comes for the first time is opened. */
  public Future<BudgetAccount> account(UserId user) {
    return database.as(user, client -> read(client, user));
  }

  /** The account as it stands now, if there is one. */
  public Future<Optional<BudgetAccount>> find(UserId user) {
    return database.as(user, client -> client
        .preparedQuery(EXISTS)
        .execute(Tuple.of(user.value()))
        .compose(there -> there.size() == 0
            ? Future.succeededFuture(Optional.empty())
            : read(client, user).map(Optional::of)));
  }

  private Future<BudgetAccount> read(SqlClient client, UserId user) {
    return lock(client, user).compose(account -> client
        .preparedQuery(NEXT_EXPIRY)
        .execute(Tuple.of(user.value()))
        .map(expiry -> account(account, expiry)));
  }

  private Future<Row> lock(SqlClient client, UserId user) {
    return client
        .preparedQuery(ACCOUNT)
        .execute(Tuple.of(user.value(), policy.json()))
        .map(rows -> rows.iterator().next());
  }

  private BudgetAccount account(Row row, RowSet<Row> expiry) {
    long creditsHeld = row.getLong("credits_held_micro_usd");
    return new BudgetAccount(
        new BudgetAccount.Allowance(
            row.getLong("allowance_micro_usd"),
            row.getLong("spent_micro_usd"),
            row.getLong("held_micro_usd"),
            YearMonth.from(row.getLocalDate("month"))),
        new BudgetAccount.Credits(
            row.getLong("credits_micro_usd") - creditsHeld, creditsHeld, expiry(expiry)),
        new BudgetAccount.Overage(
            row.getLong("overage_cap_micro_usd"),
            row.getLong("overage_spent_micro_usd"),
            row.getLong("overage_held_micro_usd")),
        lower(row.getLong("request_cap_micro_usd"), policy.requestCapMicroUsd()),
        new BudgetAccount.DailyWarning(
            first(row.getLong("daily_warning_micro_usd"), policy.dailyWarningMicroUsd()),
            row.getLong("today")));
  }

  private static BudgetAccount.@Nullable Expiry expiry(RowSet<Row> found) {
    if (found.size() == 0) {
      return null;
    }
    Row row = found.iterator().next();
    return new BudgetAccount.Expiry(
        row.getOffsetDateTime("expires_at").toInstant(), row.getLong("amount"));
  }

  private static @Nullable Long lower(@Nullable Long one, @Nullable Long other) {
    return one != null && other != null ? (Long) Math.min(one, other) : first(one, other);
  }

  private static @Nullable Long first(@Nullable Long one, @Nullable Long other) {
    return one == null ? other : one;
  }

  /**
   * Changes limits and tells the account after it. All of it or nothing: an {@code INVALID_REQUEST} when
   * more than the new allowance is gone of this month.
   */
  public Future<BudgetAccount> change(UserId user, BudgetChange change) {
    return database.as(user, client -> lock(client, user)
        .compose(locked -> setMonthly(client, user, change.monthly()))
        .compose(set -> client.preparedQuery(CHANGE).execute(limits(user, change)))
        .compose(changed -> read(client, user)));
  }

  private static Future<Void> setMonthly(SqlClient client, UserId user, @Nullable Setting monthly) {
    if (monthly == null) {
      return Future.succeededFuture();
    }
    return client
        .preparedQuery(SET_MONTHLY)
        .execute(Tuple.of(user.value(), monthly.microUsd()))
        .compose(changed -> changed.rowCount() == 1
            ? Future.succeededFuture()
            : Future.failedFuture(GatewayError.invalid(
                "monthly", "More than that is spent or held of this month already.")));
  }

  private static Tuple limits(UserId user, BudgetChange change) {
    Tuple limits = Tuple.of(user.value());
    for (Setting setting :
        new @Nullable Setting[] {change.overageCap(), change.requestCap(), change.dailyWarning()}) {
      limits.addBoolean(setting != null).addLong(setting == null ? null : setting.microUsd());
    }
    return limits;
  }

  /**
   * Grants credits, once for each source key; whether it did, or had before. {@code REQUEST_CONFLICT} when
   * it granted another amount under that key.
   *
   * @param sourceKey names the payment or promise behind it
   * @param expiresAt from when on they are gone; null: never
   */
  public Future<Boolean> grant(
      UserId user, String sourceKey, long microUsd, @Nullable Instant expiresAt) {
    return add(user, GRANT, Tuple.of(user.value(), sourceKey, microUsd, offset(expiresAt)));
  }

  /**
   * Gives credits for a payment, once for each source key; whether it did, or had before. {@code
   * REQUEST_CONFLICT} when that key is another payment's.
   *
   * @param credits micro-USD of credits, and what was paid for them: as the payment's rate and markup have it
   * @param expiresAt from when on they are gone; null: never
   */
  public Future<Boolean> topUp(
      UserId user,
      String sourceKey,
      Payment payment,
      long credits,
      long paid,
      @Nullable Instant expiresAt) {
    Tuple arguments = Tuple.of(user.value(), sourceKey, credits, paid, payment.amount())
        .addString(payment.currency())
        .addBigDecimal(payment.rate())
        .addBigDecimal(payment.markup())
        .addOffsetDateTime(offset(expiresAt));
    return add(user, TOP_UP, arguments);
  }

  private static @Nullable OffsetDateTime offset(@Nullable Instant at) {
    return at == null ? null : at.atOffset(ZoneOffset.UTC);
  }

  private Future<Boolean> add(UserId user, String credits, Tuple arguments) {
    return database
        .as(user, client -> lock(client, user) // opened by the policy, if there is none yet
            .compose(opened -> client.preparedQuery(credits).execute(arguments))
            .map(rows -> rows.iterator().next().getBoolean(0)))
        .recover(failure -> Future.failedFuture(
            failure instanceof GatewayError known
                    && known.code() == GatewayError.Code.REQUEST_CONFLICT
                ? new GatewayError(
                    known.code(), "That source key was used for another amount before.")
                : failure));
  }

  /** What was used from one day to another, both among them, in UTC. */
  public Future<UsageTotals> usage(UserId user, LocalDate from, LocalDate to) {
    return database.as(user, client -> client
        .preparedQuery(USAGE)
        .execute(Tuple.of(user.value(), from, to))
        .map(rows -> {
          List<UsageTotals.Row> sums = new ArrayList<>();
          for (Row row : rows) {
            sums.add(new UsageTotals.Row(
                row.getString("feature"),
                row.getString("provider"),
                row.getString("model"),
                new UsageTotals.Sum(
                    requests(row, ""), row.getLong("billable"), requests(row, "own_"))));
          }
          return UsageTotals.of(sums);
        }));
  }

  private static Requests requests(Row row, String prefix) {
    return new Requests(
        row.getLong(prefix + "requests"),
        new Usage(
            row.getLong(prefix + "input"),
            row.getLong(prefix + "cache_read"),
            row.getLong(prefix + "cache_write"),
            row.getLong(prefix + "output"),
            row.getLong(prefix + "reasoning"),
            row.getLong(prefix + "image"),
            row.getBoolean(prefix + "estimated")));
  }

  /** So many lines of the person's statement, the newest first, all of them older than that id. */
  public Future<List<Transfer>> statement(UserId user, long before, int limit) {
    return database.as(user, client -> client
        .preparedQuery(Statement.PAGE)
        .execute(Tuple.of(user.value(), before, limit))
        .map(Statement::transfers));
  }
}
