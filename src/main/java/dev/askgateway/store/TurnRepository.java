package dev.askgateway.store;

import dev.askgateway.core.TurnState;
import dev.askgateway.core.UserId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The two ends of a turn, its lease, and what a second comer reads of it. One round trip each. */
public final class TurnRepository {
  private static final String BEGIN =
      "begin_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
  private static final String BEGIN_ALONE = "SELECT " + BEGIN;
  private static final String BEGIN_IN_ARM = "SELECT note_arm(" + BEGIN + ", $1, $2, $17, $18)";
  private static final String FINISH = "SELECT finish_turn($1, $2, $3, $4, $5)";
  private static final String FINISH_MEASURED =
      "SELECT note_measured(finish_turn($1, $2, $3, $4, $5), $1, $2, $4)";
  private static final String FIND = "SELECT request_json($1, $2)";
  private static final String CANCEL = "SELECT request_cancel($1, $2)";
  private static final String RENEW =
      "SELECT user_id, request_id, cancel_requested, lost FROM renew_leases($1, $2, $3, $4)";
  private static final String CLAIM =
      "SELECT user_id, request_id, assistant_turn_id FROM claim_lapsed($1, $2, $3)";

  private static final String PRICE_BOOK =
      "SELECT price_book_version FROM answer_requests WHERE user_id = $1 AND request_id = $2";
  private static final String USED = """
      SELECT kind, status, outcome ->> 'errorCode' AS error,
             lease_until < clock_timestamp() - interval '30 seconds' AS lapsed,
             coalesce(finished_at < clock_timestamp() - interval '15 seconds', false) AS long_over
        FROM answer_requests WHERE user_id = $1 AND request_id = $2
      """;
  private static final String NOTE_FOLLOWER = "SELECT note_follower($1, $2, $3)";
  private static final String IS_FOLLOWED = "SELECT is_followed($1, $2)";
  private static final int TRIES = 3;

  private final Database database;
  private final JsonObject policy;
  private final HoldCache cache;
  private final HoldCheck check;
  private final TurnGroups groups;

  /** Without limits of its own and without a copy of accounts. */
  public TurnRepository(Database database) {
    this(database, BudgetPolicy.NONE, HoldCache.NONE);
  }

  /**
   * Begins and ends requests.
   *
   * @param policy what holds for accounts that say nothing else
   * @param cache asked before an account is locked, and told what accounts stand at
   */
  public TurnRepository(Database database, BudgetPolicy policy, HoldCache cache) {
    this.database = database;
    this.policy = policy.json();
    this.cache = cache;
    this.check = new HoldCheck(database, this.policy);
    this.groups = new TurnGroups(database, this.policy, cache);
  }

  /**
   * A request that is kept in no thread, as it stands.
   *
   * @param kind completion or embedding
   * @param error the code it failed with
   * @param lapsed whether its lease is over, and the time too in which it should have been swept
   * @param longOver whether it ended so long ago that nobody is still telling of it
   */
  public record Used(
      String kind, TurnState state, @Nullable String error, boolean lapsed, boolean longOver) {}

  /** A running request and its person. */
  public record Running(UserId user, UUID requestId) {}

  /** A lease's state that its node must act on. */
  public record LeaseNotice(UserId user, UUID requestId, boolean cancelRequested, boolean lost) {}

  /** An answer taken over from a node that is gone. */
  public record Lapsed(UserId user, UUID requestId, UUID assistantTurnId) {}

  /**
   * Begins the turn or finds its twin: the request's JSON with a flag "begun", and when it
   * began also newThread, timezone and recent.
   */
  public Future<JsonObject> begin(Begin begin) {
    return begin(begin, null);
  }

  /**
   * The same in an arm of a rollout, which is kept with the request.
   *
   * @param arm null: no rollout is any of its concern
   */
  public Future<JsonObject> begin(Begin begin, @Nullable Arm arm) {
    return cache
        .mayHold(List.of(begin.want()))
        .compose(may -> may.get(0) ? Future.succeededFuture() : check.of(begin))
        .compose(fits -> beginNow(begin, arm));
  }

  private Future<JsonObject> beginNow(Begin begin, @Nullable Arm arm) {
    Tuple arguments = Tuple.tuple()
        .addString(begin.user().value())
        .addUUID(begin.requestId())
        .addBuffer(begin.fingerprint())
        .addString(begin.target())
        .addUUID(begin.threadId())
        .addString(begin.clientKey())
        .addUUID(begin.chatId())
        .addArrayOfUUID(begin.scopeChatIds().toArray(UUID[]::new))
        .addString(begin.question())
        .addString(begin.profile())
        .addString(begin.node())
        .addLong(begin.lease().toMillis())
        .addLong(begin.holdMicroUsd())
        .addString(begin.priceBook())
        .addInteger(begin.recentTurns())
        .addJsonObject(policy);
    if (arm != null) {
      arguments.addUUID(arm.run()).addString(arm.place().wire());
    }
    return database
        .callAgain(arm == null ? BEGIN_ALONE : BEGIN_IN_ARM, arguments, TRIES)
        .map(TurnRepository::json)
        .onComplete(begun -> stands(
            begin.user(),
            begun.succeeded() ? begun.result() : new JsonObject(),
            List.of(begin.requestId())));
  }

  /**
   * Begins what is kept in no thread, on an event loop together with whatever else begins in the same
   * moment.
   */
  public Future<Begun> beginOutside(Begin begin) {
    return Context.isOnEventLoopThread() ? groups.begin(begin) : begin(begin).map(groups::begun);
  }

  /**
   * Ends the turn unless it ended: the request's JSON with {@code finished}. What the end has under {@code
   * measured} is kept for the gates of the rollout that the request has an arm of.
   */
  public Future<JsonObject> finish(UserId user, UUID requestId, String node, JsonObject end) {
    String finish = end.containsKey("measured") ? FINISH_MEASURED : FINISH;
    return database
        .callAgain(finish, Tuple.of(user.value(), requestId, node, end, policy), TRIES)
        .map(TurnRepository::json)
        .onSuccess(ended -> stands(user, ended, List.of()));
  }

  /**
   * Ends what is kept in no thread, together with whatever else of that kind ends in the same moment:
   * JSON with {@code finished}. Turns end alone: in a group they would hold an account and wait for a thread.
   */
  public Future<JsonObject> finishOutside(
      UserId user, UUID requestId, String node, JsonObject end) {
    return Context.isOnEventLoopThread()
        ? groups
            .finish(new TurnGroups.End(user, requestId, node, end))
            .map(finished -> new JsonObject().put("finished", finished))
        : finish(user, requestId, node, end);
  }

  private void stands(UserId user, JsonObject row, List<UUID> through) {
    cache.stands(user, row.getJsonObject("account", new JsonObject()), through);
  }

  /** Says for a while that somebody follows the running request on another node than its own. */
  public Future<Void> noteFollower(UserId user, UUID requestId, Duration validFor) {
    return database
        .call(NOTE_FOLLOWER, Tuple.of(user.value(), requestId, validFor.toMillis()))
        .mapEmpty();
  }

  /** Whether somebody does. */
  public Future<Boolean> isFollowed(UserId user, UUID requestId) {
    return database
        .call(IS_FOLLOWED, Tuple.of(user.value(), requestId))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /** The version of the prices that its hold was computed with; empty if nothing was held. */
  public Future<String> priceBook(UserId user, UUID requestId) {
    return database.as(user, client -> client
        .preparedQuery(PRICE_BOOK)
        .execute(Tuple.of(user.value(), requestId))
        .map(rows -> rows.size() == 0 ? "" : rows.iterator().next().getString(0)));
  }

  /** How it stands with a request id, without what was said. */
  public Future<Optional<Used>> used(UserId user, UUID requestId) {
    return database.as(user, client -> client
        .preparedQuery(USED)
        .execute(Tuple.of(user.value(), requestId))
        .map(rows -> rows.size() == 0
            ? Optional.empty()
            : Optional.of(used(rows.iterator().next()))));
  }

  private static Used used(Row row) {
    return new Used(
        row.getString("kind"),
        TurnState.ofWire(row.getString("status")),
        row.getString("error"),
        Boolean.TRUE.equals(row.getBoolean("lapsed")),
        row.getBoolean("long_over"));
  }

  /** The request as it stands. */
  public Future<Optional<JsonObject>> find(UserId user, UUID requestId) {
    return database.as(user, client -> client
        .preparedQuery(FIND)
        .execute(Tuple.of(user.value(), requestId))
        .map(rows -> rows.size() == 0
            ? Optional.empty()
            : Optional.ofNullable(rows.iterator().next().getJsonObject(0))));
  }

  /** Notes that the person wants the request stopped; true when it was running. */
  public Future<Boolean> requestCancel(UserId user, UUID requestId) {
    return database
        .call(CANCEL, Tuple.of(user.value(), requestId))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /** Renews the leases of a node's running requests. */
  public Future<List<LeaseNotice>> renew(String node, List<Running> running, Duration lease) {
    Tuple arguments = Tuple.of(
        node,
        running.stream().map(one -> one.user().value()).toArray(String[]::new),
        running.stream().map(Running::requestId).toArray(UUID[]::new),
        lease.toMillis());
    return database.owner(RENEW, arguments).map(rows -> {
      List<LeaseNotice> notices = new ArrayList<>();
      for (Row row : rows) {
        notices.add(new LeaseNotice(
            new UserId(row.getString(0)), row.getUUID(1), row.getBoolean(2), row.getBoolean(3)));
      }
      return notices;
    });
  }

  /** Takes over at most {@code limit} requests whose node stopped renewing. */
  public Future<List<Lapsed>> claimLapsed(String node, Duration lease, int limit) {
    return database.owner(CLAIM, Tuple.of(node, lease.toMillis(), limit)).map(rows -> {
      List<Lapsed> lapsed = new ArrayList<>();
      for (Row row : rows) {
        lapsed.add(new Lapsed(new UserId(row.getString(0)), row.getUUID(1), row.getUUID(2)));
      }
      return lapsed;
    });
  }

  private static JsonObject json(RowSet<Row> rows) {
    return rows.iterator().next().getJsonObject(0);
  }
}
