package dev.askgateway.simulation;

import dev.askgateway.simulation.Violation.Rule;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One run: its persons, clients and nodes around the one database, until all has come to its end. */
final class World {
  private static final int BUSY_MILLIS = 60_000;
  private static final int LAST_MILLIS = 1_200_000;

  final Schedule schedule;
  final Copy copy;
  final Upstream upstream;
  final Bank bank;
  final Flaw flaw;
  private final List<String> persons = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<UUID, Request> asked = new HashMap<>();
  /** By simulated time; of requests that run. */
  private final Map<UUID, Lease> leases = new HashMap<>();

  private long awayUntil;

  private record Lease(String node, long until) {}

  /**
   * What a run came to.
   *
   * @param swept those that others ended, because their node had died or could not tell
   * @param bounded those whose model reported more than was held
   */
  record Outcome(
      long steps,
      int requests,
      int begun,
      int calls,
      int swept,
      int bounded,
      long billedMicroUsd) {}

  World(Bank bank, Flaw flaw, long seed, String name) {
    this.bank = bank;
    this.flaw = flaw;
    schedule = new Schedule(seed);
    copy = new Copy(schedule);
    upstream = new Upstream(schedule, bank::isHeld);
    for (int i = schedule.between(1, 3); i > 0; i--) {
      String person = name + "-" + i;
      Long allowance = schedule.between(0, 3) == 0 ? null : (long) schedule.between(300, 3_000);
      bank.open(person, allowance, schedule.between(0, 2) * 300L, schedule.between(0, 2) * 250L);
      persons.add(person);
    }
    for (int i = schedule.between(2, 3); i > 0; i--) {
      nodes.add(new Node(this, "node" + i));
    }
    for (int i = schedule.between(3, 10); i > 0; i--) {
      schedule.in(schedule.between(0, BUSY_MILLIS), this::ask);
    }
    schedule.in(BUSY_MILLIS, this::quiet);
  }

  private void ask() {
    long inputChars = schedule.between(4, 800);
    Request request = new Request(
        persons.get(schedule.between(0, persons.size() - 1)),
        new UUID(schedule.anyLong(), schedule.anyLong()),
        schedule.between(0, 3) == 0,
        inputChars,
        Upstream.worstCaseMicroUsd(inputChars));
    asked.put(request.id(), request);
    Client client = new Client(this, request);
    client.send(anyNode());
    if (schedule.strikes(Fault.DUPLICATE)) {
      new Client(this, request).send(anyNode());
    }
  }

  Node anyNode() {
    return nodes.get(schedule.between(0, nodes.size() - 1));
  }

  private void quiet() {
    schedule.quiet();
    schedule.note("from here on nothing fails");
    awayUntil = Math.min(awayUntil, schedule.now());
  }

  /**
   * A call of the database: the message may be lost, the call is made whether its node lives or not, its
   * answer may be lost.
   *
   * @param alive whether who asked still hears
   */
  <T> void database(
      String what, Supplier<T> call, Supplier<Boolean> alive, Consumer<T> done, Runnable away) {
    schedule.message(() -> {
      if (schedule.now() < awayUntil || schedule.strikes(Fault.CALL_LOST)) {
        answer(alive, away);
        return;
      }
      if (schedule.strikes(Fault.DATABASE_AWAY)) {
        awayUntil = schedule.now() + schedule.between(200, 90_000);
      }
      T answer = call.get();
      schedule.note(what + " -> " + answer);
      bank.checkBooks(persons);
      if (schedule.strikes(Fault.REPLY_LOST)) {
        answer(alive, away);
      } else {
        answer(alive, () -> done.accept(answer));
      }
    });
  }

  private void answer(Supplier<Boolean> alive, Runnable action) {
    schedule.message(() -> {
      if (alive.get()) {
        action.run();
      }
    });
  }

  void leased(Request request, String node, long millis) {
    leases.put(request.id(), new Lease(node, schedule.now() + millis));
  }

  void renewed(UUID request, String node, long millis) {
    leases.computeIfPresent(
        request,
        (id, lease) ->
            lease.node().equals(node) ? new Lease(node, schedule.now() + millis) : lease);
  }

  void ended(UUID request) {
    leases.remove(request);
  }

  /** What a sweeper takes over: what has lapsed by simulated time. */
  List<Bank.Lapsed> claim(String node, long leaseMillis) {
    List<UUID> lapsed = leases.entrySet().stream()
        .filter(one -> flaw == Flaw.STEALS_LEASES || one.getValue().until() < schedule.now())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
    if (lapsed.isEmpty()) {
      return List.of();
    }
    bank.lapse(persons, lapsed, true);
    List<Bank.Lapsed> claimed = bank.claim(node).stream()
        .sorted(Comparator.comparing(Bank.Lapsed::request))
        .toList();
    for (Bank.Lapsed one : claimed) {
      Lease lease = leases.get(one.request());
      if (lease != null && lease.until() >= schedule.now()) {
        throw new Violation(
            Rule.LIVE_LEASE, node + " ends " + one.request() + " of " + lease.node());
      }
      leases.put(one.request(), new Lease(node, schedule.now() + leaseMillis));
    }
    return claimed;
  }

  /** Runs it all. Throws a {@link Violation} when a rule breaks. */
  Outcome run() {
    while (!isOver() && schedule.now() < LAST_MILLIS && schedule.step()) {
      // the schedule does what there is to do
    }
    return check();
  }

  private boolean isOver() {
    return schedule.isQuiet() && leases.isEmpty() && nodes.stream().allMatch(Node::idle);
  }

  private Outcome check() {
    bank.checkBooks(persons);
    List<Bank.Row> rows = bank.rows(persons);
    Set<UUID> unknown = new HashSet<>(rows.stream().map(Bank.Row::request).toList());
    unknown.removeAll(asked.keySet());
    if (!unknown.isEmpty()) {
      throw new Violation(Rule.KNOWN, "nobody asked for " + unknown);
    }
    int swept = 0;
    long billed = 0;
    int bounded = 0;
    for (Bank.Row row : rows) {
      checkEnd(row);
      boolean isSwept = row.provider().equals("none") && "interrupted".equals(row.error());
      long reported = isSwept ? 0 : upstream.billMicroUsd(row.request());
      checkBill(row, Math.min(reported, row.holdMicroUsd()));
      if (!isSwept && row.failedMicroUsd() != upstream.failedMicroUsd(row.request())) {
        throw new Violation(Rule.BILL, "other failed calls than the models know: " + row);
      }
      swept += isSwept ? 1 : 0;
      bounded += reported > row.holdMicroUsd() ? 1 : 0;
      billed += row.billableMicroUsd();
    }
    return new Outcome(
        schedule.steps(), asked.size(), rows.size(), upstream.calls(), swept, bounded, billed);
  }

  private static void checkEnd(Bank.Row row) {
    boolean ended = List.of("completed", "failed", "cancelled").contains(row.status())
        && row.hold() != null
        && !row.hold().equals("pending");
    if (!ended || row.usages() != 1 || row.reservations() != 1 || row.ends() != 1) {
      throw new Violation(Rule.ONE_END, row.toString());
    }
  }

  private static void checkBill(Bank.Row row, long expected) {
    if (row.billableMicroUsd() != expected || row.failedMicroUsd() != row.attemptsMicroUsd()) {
      throw new Violation(Rule.BILL, "to be " + expected + ": " + row);
    }
  }

  /** Leaves nothing behind that a later run could sweep. */
  void tidy() {
    bank.lapse(persons, List.copyOf(leases.keySet()), false);
  }

  void learn(Request request, Bank.Begun answer) {
    JsonObject account = answer.account();
    if (account != null) {
      copy.stands(request.person(), account);
    }
  }
}
