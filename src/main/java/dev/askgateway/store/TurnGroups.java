package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
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
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The groups in which requests begin and end, all together and one group at a time. Before it begins,
 * what a request wants to hold goes in a group to the copy of accounts.
 */
final class TurnGroups {
  private static final String END_AND_BEGIN =
      "SELECT ends, place, done, refusal, detail, account FROM end_and_begin("
          + "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
  private static final int TRIES = 3;

  /** The copy takes less, unless something is wrong with it. */
  private static final long ASK_WAIT_MILLIS = 1;

  /** A beginning keeps a person waiting. */
  private static final long WAIT_MILLIS = 2;

  private final Database database;
  private final JsonObject policy;
  private final HoldCache cache;
  private final HoldCheck check;
  private final GroupCommit<HoldCache.Want, Boolean> wants;

  /** By the node that does it, of which a process has one. */
  private final Map<String, GroupCommit<Call, Boolean>> groups = new ConcurrentHashMap<>();

  /** A request's end. */
  record End(UserId user, UUID requestId, String node, JsonObject end) {}

  /** One of both. */
  private record Call(@Nullable Begin begin, @Nullable End end) {
    UserId user() {
      return begin == null ? Objects.requireNonNull(end).user() : begin.user();
    }
  }

  TurnGroups(Database database, JsonObject policy, HoldCache cache) {
    this.database = database;
    this.policy = policy;
    this.cache = cache;
    this.check = new HoldCheck(database, policy);
    this.wants = new GroupCommit<>(database.vertx(), ASK_WAIT_MILLIS, this::mayHold);
  }

  /**
   * On an event loop. The copy is asked before the database is, and what it refuses the database is
   * asked without a lock: it may know better.
   */
  Future<Boolean> begin(Begin begin) {
    return wants
        .add(begin.want())
        .compose(may -> may ? Future.succeededFuture() : check.of(begin))
        .compose(fits -> group(begin.node()).add(new Call(begin, null)));
  }

  private Future<List<Future<Boolean>>> mayHold(List<HoldCache.Want> wants) {
    return cache
        .mayHold(wants)
        .map(may -> may.stream().<Future<Boolean>>map(Future::succeededFuture).toList());
  }

  /** On an event loop. */
  Future<Boolean> finish(End end) {
    return group(end.node()).add(new Call(null, end));
  }

  private GroupCommit<Call, Boolean> group(String node) {
    return groups.computeIfAbsent(
        node,
        first -> new GroupCommit<>(database.vertx(), WAIT_MILLIS, calls -> apart(node, calls)));
  }

  /**
   * A group that the database refuses as such, for what one of its calls holds, is made call by call: the
   * others have no part in it. One that it could not be asked has failed.
   */
  private Future<List<Future<Boolean>>> apart(String node, List<Call> calls) {
    return make(node, calls)
        .recover(failure -> calls.size() == 1 || isAway(failure)
            ? Future.failedFuture(failure)
            : Future.succeededFuture(calls.stream()
                .map(call -> make(node, List.of(call)).compose(answer -> answer.get(0)))
                .toList()));
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof GatewayError known
        && known.code() == GatewayError.Code.DEPENDENCY_UNAVAILABLE;
  }

  private Future<List<Future<Boolean>>> make(String node, List<Call> calls) {
    List<Begin> begins =
        calls.stream().map(Call::begin).filter(Objects::nonNull).toList();
    List<End> ends = calls.stream().map(Call::end).filter(Objects::nonNull).toList();
    Tuple arguments = Tuple.tuple()
        .addString(node)
        .addArrayOfString(array(begins, begin -> begin.user().value(), new String[0]))
        .addArrayOfUUID(array(begins, Begin::requestId, new UUID[0]))
        .addArrayOfBuffer(array(begins, Begin::fingerprint, new Buffer[0]))
        .addArrayOfString(array(begins, Begin::target, new String[0]))
        .addArrayOfString(array(begins, Begin::profile, new String[0]))
        .addArrayOfLong(array(begins, begin -> begin.lease().toMillis(), new Long[0]))
        .addArrayOfLong(array(begins, Begin::holdMicroUsd, new Long[0]))
        .addArrayOfString(array(begins, Begin::priceBook, new String[0]))
        .addArrayOfString(array(ends, end -> end.user().value(), new String[0]))
        .addArrayOfUUID(array(ends, End::requestId, new UUID[0]))
        .addValue(array(ends, End::end, new JsonObject[0]))
        .addJsonObject(policy);
    return database.callGroup(END_AND_BEGIN, arguments, TRIES).map(rows -> {
      Places places = Places.of(calls);
      learn(rows, calls, places);
      return answers(rows, calls.size(), places);
    });
  }

  /** Where in the group the beginnings stand, and where the ends. */
  private record Places(List<Integer> begins, List<Integer> ends) {
    static Places of(List<Call> calls) {
      Places places = new Places(new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < calls.size(); i++) {
        (calls.get(i).begin() == null ? places.ends : places.begins).add(i);
      }
      return places;
    }

    int of(Row row) {
      return (row.getBoolean(0) ? ends : begins).get(row.getInteger(1) - 1);
    }
  }

  /** Tells the copy what each person's account is now, and which of the wants are through. */
  private void learn(RowSet<Row> rows, List<Call> calls, Places places) {
    Map<UserId, Learned> learned = new LinkedHashMap<>();
    for (Row row : rows) {
      Call call = calls.get(places.of(row));
      Learned of = learned.computeIfAbsent(call.user(), first -> new Learned());
      if (call.begin() != null) {
        of.through.add(call.begin().requestId());
      }
      JsonObject account = row.getJsonObject(5);
      if (account != null) {
        of.account = account; // those of a person come in the order in which they were made
      }
    }
    learned.forEach((person, of) -> cache.stands(person, of.account, of.through));
  }

  private static final class Learned {
    private JsonObject account = new JsonObject();
    private final List<UUID> through = new ArrayList<>();
  }

  private static <A, V> V[] array(List<A> calls, Function<A, V> value, V[] type) {
    return calls.stream().map(value).toList().toArray(type);
  }

  private static List<Future<Boolean>> answers(RowSet<Row> rows, int calls, Places places) {
    List<Future<Boolean>> answers = new ArrayList<>(
        Collections.nCopies(calls, Future.failedFuture(Database.refusal("", "", null, null))));
    for (Row row : rows) {
      String refusal = row.getString(3);
      answers.set(
          places.of(row),
          refusal == null
              ? Future.succeededFuture(row.getBoolean(2))
              : Future.failedFuture(Database.refusal(refusal, "", row.getString(4), null)));
    }
    return answers;
  }
}
