package dev.askgateway.simulation;

import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.simulation.Violation.Rule;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One run: its persons, clients and nodes around the one database, until all has come to its end. */
final class World {
  private static final int BUSY_MILLIS = 60_000;
  private static final int LAST_MILLIS = 1_200_000;
  private static final int PASSING_MILLIS = 3_000;

  final Schedule schedule;
  final Copy copy;
  final Logs logs;
  final Upstream upstream;
  final Bank bank;
  final Flaw flaw;
  private final Counting counting;
  private final LeaseBook leases = new LeaseBook(this);
  private final List<String> persons = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<UUID, Request> asked = new HashMap<>();
  private long awayUntil;
  private int replies;
  private int replayed;
  private int overMonths;
  private int expiredHeld;
  private @Nullable Violation violation;

  World(Bank bank, Counting counting, Flaw flaw, long seed, String name) {
    this.bank = bank;
    this.counting = counting;
    this.flaw = flaw;
    schedule = new Schedule(seed);
    copy = new Copy(schedule);
    logs = new Logs(this);
    upstream = new Upstream(this);
    for (int i = schedule.between(1, 3); i > 0; i--) {
      String person = name + "-" + i;
      Long allowance = schedule.between(0, 3) == 0 ? null : (long) schedule.between(300, 4_000);
      bank.open(person, allowance, schedule.between(0, 4), schedule.between(0, 2) * 250L);
      persons.add(person);
    }
    for (int i = schedule.between(2, 3); i > 0; i--) {
      nodes.add(new Node(this, "node" + i));
    }
    for (int i = schedule.between(4, 12); i > 0; i--) {
      schedule.in(schedule.between(0, BUSY_MILLIS), this::ask);
    }
    schedule.in(PASSING_MILLIS, this::timePasses);
    schedule.in(BUSY_MILLIS, this::quiet);
  }

  private void ask() {
    int kind = schedule.between(0, 9);
    Request request = new Request(
        persons.get(schedule.between(0, persons.size() - 1)),
        new UUID(schedule.anyLong(), schedule.anyLong()),
        kind < 2 ? Request.Kind.TURN : kind < 4 ? Request.Kind.EMBEDDING : Request.Kind.COMPLETION,
        schedule.between(0, 2) > 0,
        schedule.between(Request.LEAST_CHARS, 300));
    asked.put(request.id(), request);
    new Client(this, request).send();
    if (schedule.strikes(Fault.DUPLICATE)) {
      schedule.in(schedule.between(0, 4_000), () -> new Client(this, request).send());
    }
  }

  private void timePasses() {
    for (String person : persons) {
      if (schedule.strikes(Fault.MONTH_ENDS)) {
        overMonths += bank.monthEnds(person);
      }
      if (schedule.strikes(Fault.CREDITS_EXPIRE)) {
        expiredHeld += bank.creditsExpire(person) > 0 ? 1 : 0;
      }
    }
    bank.checkBooks(persons);
    if (!schedule.isQuiet()) {
      schedule.in(PASSING_MILLIS, this::timePasses);
    }
  }

  private void quiet() {
    schedule.quiet();
    schedule.note("from here on nothing fails");
    awayUntil = Math.min(awayUntil, schedule.now());
  }

  Node anyNode() {
    return nodes.get(schedule.between(0, nodes.size() - 1));
  }

  Request request(UUID id) {
    Request request = asked.get(id);
    if (request == null) {
      throw violated(Rule.KNOWN, "nobody asked for " + id);
    }
    return request;
  }

  List<String> persons() {
    return persons;
  }

  Counting counting() {
    return counting;
  }

  /** Keeps what was found, for code under test may catch it. */
  Violation violated(Rule rule, String detail) {
    Violation found = new Violation(rule, detail);
    if (violation == null) {
      violation = found;
    }
    return found;
  }

  /**
   * A statement of a node: the message may be lost, the call is made whether its node lives or not, its
   * answer may be lost.
   */
  void database(
      Life life,
      String sql,
      Tuple arguments,
      @Nullable String person,
      Promise<RowSet<Row>> promise) {
    schedule.message(() -> {
      if (schedule.now() < awayUntil || schedule.strikes(Fault.CALL_LOST)) {
        answer(life, () -> promise.fail(new ConnectException("away")));
        return;
      }
      if (schedule.strikes(Fault.DATABASE_AWAY)) {
        awayUntil = schedule.now() + schedule.between(200, 90_000);
      }
      Runnable told = made(life, sql, arguments, person, promise);
      if (schedule.strikes(Fault.REPLY_LOST)) {
        answer(life, () -> promise.fail(new ConnectException("nothing was heard")));
      } else {
        answer(life, told);
      }
    });
  }

  private Runnable made(
      Life life,
      String sql,
      Tuple arguments,
      @Nullable String person,
      Promise<RowSet<Row>> promise) {
    if (LeaseBook.claims(sql)) {
      if (flaw == Flaw.NEVER_SWEEPS) {
        return () -> promise.complete(Rows.NONE);
      }
      leases.beforeClaim();
    }
    try {
      Rows rows = leases.after(sql, arguments, bank.run(sql, arguments, person));
      if (LeaseBook.changes(sql)) {
        schedule.note(life.name() + " " + name(sql) + " " + requests(arguments) + " -> "
            + rows.rows().stream()
                .map(row -> row.getValue(row.size() > 2 ? 1 : 0) != null)
                .toList());
        bank.checkBooks(persons);
        life.mayCrash(LeaseBook.begins(sql) ? Fault.CRASH_HELD : Fault.CRASH_ENDED);
      }
      return () -> promise.complete(rows);
    } catch (PgException refused) {
      schedule.note(life.name() + " " + name(sql) + " " + requests(arguments) + " -> "
          + refused.getSqlState());
      return () -> promise.fail(refused);
    }
  }

  private static String name(String sql) {
    return sql.replaceAll("(?s).*?(\\w+)\\(.*", "$1");
  }

  private static List<String> requests(Tuple arguments) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      Object value = arguments.getValue(i);
      if (value instanceof UUID one) {
        found.add(one.toString().substring(0, 8));
      } else if (value instanceof UUID[] many && found.isEmpty()) {
        Arrays.stream(many).map(one -> one.toString().substring(0, 8)).sorted().forEach(found::add);
      }
    }
    return found;
  }

  private void answer(Life life, Runnable action) {
    schedule.message(() -> {
      if (!life.isOver()) {
        action.run();
      }
    });
  }

  /** What somebody was told of a request: all that its model said, or a part of it and a failure. */
  void told(Request request, String text, boolean whole) {
    Call call = upstream.speaking(request.id());
    String said = call == null ? "" : call.said();
    replies++;
    if (whole ? !text.equals(said) : !said.startsWith(text)) {
      throw violated(
          Rule.ONE_TEXT,
          request.name() + " was told '" + text + "', its model said '" + said + "'");
    }
  }

  /** What somebody is told from now on was told to somebody else. */
  void replays() {
    replayed++;
  }

  void toldVectors(Request request, List<float[]> vectors) {
    List<float[]> right = request.texts().stream().map(Upstream::vector).toList();
    replies++;
    if (!Arrays.deepEquals(vectors.toArray(), right.toArray())) {
      throw violated(Rule.ONE_TEXT, request.name() + " was told other vectors");
    }
  }

  /** Runs it all. Throws a {@link Violation} when a rule breaks. */
  Audit.Outcome run() {
    while (!isOver() && schedule.now() < LAST_MILLIS && schedule.step()) {
      if (violation != null) {
        throw violation;
      }
    }
    bank.checkBooks(persons);
    return new Audit(this, asked)
        .outcome(new Audit.Seen(replies, replayed, overMonths, expiredHeld));
  }

  private boolean isOver() {
    return schedule.isQuiet() && leases.isEmpty() && nodes.stream().allMatch(Node::isIdle);
  }

  /** Leaves nothing behind that a later run could sweep. */
  void tidy() {
    bank.lapse(persons, leases.running(), false);
  }
}
