package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The groups in which requests begin and end: one of each kind for every event loop and node name, one at a
 * time of them all. Before it begins, what a request wants to hold goes in a group to the copy of accounts.
 */
final class TurnGroups {
  private static final String BEGIN =
      "SELECT place, begun, refusal, detail, account FROM begin_all($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
  private static final String FINISH =
      "SELECT place, finished, refusal, NULL::text, account FROM finish_all($1, $2, $3, $4, $5)";
  private static final int TRIES = 3;
  private static final JsonObject NONE = new JsonObject();

  /** The copy takes less, unless something is wrong with it. */
  private static final long ASK_WAIT_MILLIS = 1;

  /** A beginning keeps a person waiting. */
  private static final long BEGIN_WAIT_MILLIS = 2;

  /** An end keeps nobody: it goes when the one before it is through, with all that came meanwhile. */
  private static final long END_WAIT_MILLIS = 0;

  private final Database database;
  private final JsonObject policy;
  private final @Nullable Long dayWarning;
  private final HoldCache cache;
  private final Turnstile turnstile = new Turnstile();
  private final HoldCheck check;
  private final Map<Thread, GroupCommit<HoldCache.Want, Boolean>> wants = new ConcurrentHashMap<>();
  private final Map<Place, GroupCommit<Begin, Begun>> begins = new ConcurrentHashMap<>();
  private final Map<Place, GroupCommit<End, Boolean>> ends = new ConcurrentHashMap<>();

  /** A request's end. */
  record End(UserId user, UUID requestId, String node, JsonObject end) {}

  private record Place(Thread loop, String node) {}

  TurnGroups(Database database, JsonObject policy, HoldCache cache) {
    this.database = database;
    this.policy = policy;
    this.dayWarning = policy.getLong("dailyWarningMicroUsd");
    this.cache = cache;
    this.check = new HoldCheck(database, policy);
  }

  /**
   * On an event loop. The copy is asked before it is anybody's turn at the turnstile, and what it refuses
   * the database is, without a lock: it may know better.
   */
  Future<Begun> begin(Begin begin) {
    return asking()
        .add(begin.want())
        .compose(may -> may ? Future.succeededFuture() : check.of(begin))
        .compose(fits ->
            group(begins, begin.node(), BEGIN_WAIT_MILLIS, this::beginAll).add(begin));
  }

  private GroupCommit<HoldCache.Want, Boolean> asking() {
    return wants.computeIfAbsent(
        Thread.currentThread(),
        first ->
            new GroupCommit<>(database.vertx(), new Turnstile(), ASK_WAIT_MILLIS, this::mayHold));
  }

  private Future<List<Future<Boolean>>> mayHold(List<HoldCache.Want> wants) {
    return cache
        .mayHold(wants)
        .map(may -> may.stream().<Future<Boolean>>map(Future::succeededFuture).toList());
  }

  /** On an event loop. */
  Future<Boolean> finish(End end) {
    return group(ends, end.node(), END_WAIT_MILLIS, this::finishAll).add(end);
  }

  private <A, R> GroupCommit<A, R> group(
      Map<Place, GroupCommit<A, R>> groups,
      String node,
      long mostWaitMillis,
      Function<List<A>, Future<List<Future<R>>>> commit) {
    Vertx vertx = database.vertx();
    return groups.computeIfAbsent(
        new Place(Thread.currentThread(), node),
        first ->
            new GroupCommit<>(vertx, turnstile, mostWaitMillis, calls -> apart(calls, commit)));
  }

  /**
   * A group that the database refuses as such, for what one of its calls holds, is made call by call: the
   * others have no part in it. One that it could not be asked has failed.
   */
  private static <A, R> Future<List<Future<R>>> apart(
      List<A> calls, Function<List<A>, Future<List<Future<R>>>> commit) {
    return commit
        .apply(calls)
        .recover(failure -> calls.size() == 1 || isAway(failure)
            ? Future.failedFuture(failure)
            : Future.succeededFuture(calls.stream()
                .map(call -> commit.apply(List.of(call)).compose(answer -> answer.get(0)))
                .toList()));
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof GatewayError known
        && known.code() == GatewayError.Code.DEPENDENCY_UNAVAILABLE;
  }

  private Future<List<Future<Begun>>> beginAll(List<Begin> begins) {
    Tuple arguments = Tuple.tuple()
        .addString(begins.get(0).node())
        .addArrayOfString(array(begins, begin -> begin.user().value(), new String[0]))
        .addArrayOfUUID(array(begins, Begin::requestId, new UUID[0]))
        .addArrayOfBuffer(array(begins, Begin::fingerprint, new Buffer[0]))
        .addArrayOfString(array(begins, Begin::target, new String[0]))
        .addArrayOfString(array(begins, Begin::profile, new String[0]))
        .addArrayOfLong(array(begins, begin -> begin.lease().toMillis(), new Long[0]))
        .addArrayOfLong(array(begins, Begin::holdMicroUsd, new Long[0]))
        .addArrayOfString(array(begins, Begin::priceBook, new String[0]))
        .addJsonObject(policy);
    return database.callAgain(BEGIN, arguments, TRIES).map(rows -> {
      Map<UserId, Learned> learned = learn(rows, begins, Begin::user, Begin::requestId);
      return answers(rows, begins.size(), row -> {
        Learned of = learned.get(begins.get(row.getInteger(0) - 1).user());
        return Begun.of(row.getBoolean(1), of != null && isWarned(of.account));
      });
    });
  }

  private Future<List<Future<Boolean>>> finishAll(List<End> ends) {
    Tuple arguments = Tuple.tuple()
        .addString(ends.get(0).node())
        .addArrayOfString(array(ends, end -> end.user().value(), new String[0]))
        .addArrayOfUUID(array(ends, End::requestId, new UUID[0]))
        .addValue(array(ends, End::end, new JsonObject[0]))
        .addJsonObject(policy);
    return database.callAgain(FINISH, arguments, TRIES).map(rows -> {
      learn(rows, ends, End::user, end -> null);
      return answers(rows, ends.size(), row -> row.getBoolean(1));
    });
  }

  /** What the single function says of a beginning. */
  Begun begun(JsonObject row) {
    return Begun.of(row.getBoolean("begun"), isWarned(row.getJsonObject("account", NONE)));
  }

  private boolean isWarned(JsonObject account) {
    Long own = account.getLong("dailyWarning");
    Long warning = own == null ? dayWarning : own;
    return warning != null && account.getLong("spentToday", 0L) >= warning;
  }

  /** Tells the copy what each person's account is now, and which of the wants are through. */
  private <A> Map<UserId, Learned> learn(
      RowSet<Row> rows, List<A> calls, Function<A, UserId> user, Function<A, @Nullable UUID> want) {
    Map<UserId, Learned> learned = new LinkedHashMap<>();
    for (Row row : rows) {
      A call = calls.get(row.getInteger(0) - 1);
      Learned of = learned.computeIfAbsent(user.apply(call), first -> new Learned());
      UUID through = want.apply(call);
      if (through != null) {
        of.through.add(through);
      }
      JsonObject account = row.getJsonObject(4);
      if (account != null) {
        of.account = account; // those of a person come in the order in which they were made
      }
    }
    learned.forEach((person, of) -> cache.stands(person, of.account, of.through));
    return learned;
  }

  private static final class Learned {
    private JsonObject account = new JsonObject();
    private final List<UUID> through = new ArrayList<>();
  }

  private static <A, V> V[] array(List<A> calls, Function<A, V> value, V[] type) {
    return calls.stream().map(value).toList().toArray(type);
  }

  private static <R> List<Future<R>> answers(RowSet<Row> rows, int calls, Function<Row, R> answer) {
    List<Future<R>> answers = new ArrayList<>(
        Collections.nCopies(calls, Future.failedFuture(Database.refusal("", "", null, null))));
    for (Row row : rows) {
      String refusal = row.getString(2);
      answers.set(
          row.getInteger(0) - 1,
          refusal == null
              ? Future.succeededFuture(answer.apply(row))
              : Future.failedFuture(Database.refusal(refusal, "", row.getString(3), null)));
    }
    return answers;
  }
}
