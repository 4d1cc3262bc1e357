package dev.askgateway.simulation;

import dev.askgateway.answer.Bill;
import dev.askgateway.core.TurnState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node, step by step as the real one: {@code store/TurnGroups} (copy, check, begin and end in groups),
 * {@code answer/completion/CompletionRun} and {@code FailoverGate} (hold, call, another model before the
 * first output, one end), {@code answer/Finisher} (again while the database is away, later after that),
 * {@code answer/Keeper} (renews turns, ends what lapsed). Bills are made by {@link Bill} itself.
 */
final class Node {
  private static final List<Integer> RETRY_MILLIS = List.of(100, 500, 2_000); // Finisher
  private static final int LATER_MILLIS = 1_000;
  private static final int LATER_TRIES = 300;
  private static final long TOTAL_MILLIS = 20_000;
  private static final long LATE_MILLIS = TOTAL_MILLIS + 15_000; // CompletionRun.LAST_MARGIN
  private static final long COMPLETION_LEASE_MILLIS = TOTAL_MILLIS + 30_000; // LEASE_MARGIN
  private static final long TURN_LEASE_MILLIS = 30_000;
  private static final int SWEEP_MILLIS = 7_000;

  private final World world;
  private final Schedule schedule;
  private final String place;
  private int life;
  private boolean up = true;
  private long provenMillis;
  private boolean beginning;
  private boolean ending;
  private boolean sweeping;
  private final Set<Run> running = new LinkedHashSet<>();
  private final List<Run> begins = new ArrayList<>();
  private final List<Finish> ends = new ArrayList<>();

  Node(World world, String place) {
    this.world = world;
    this.schedule = world.schedule;
    this.place = place;
    start();
  }

  /** Names the process, not the place: one that starts anew has no leases. */
  private String name() {
    return place + "." + life;
  }

  boolean isUp() {
    return up;
  }

  boolean idle() {
    return running.isEmpty();
  }

  private void start() {
    up = true;
    provenMillis = schedule.now();
    every(TURN_LEASE_MILLIS / 3, this::renew);
    every(SWEEP_MILLIS, this::sweep);
  }

  private void every(long millis, Runnable action) {
    Supplier<Boolean> alive = alive();
    schedule.in(schedule.between((int) millis / 2, (int) millis), () -> {
      if (alive.get()) {
        action.run();
        every(millis, action);
      }
    });
  }

  private Supplier<Boolean> alive() {
    int then = life;
    return () -> up && life == then;
  }

  private void in(long millis, Runnable action) {
    Supplier<Boolean> alive = alive();
    schedule.in(millis, () -> {
      if (alive.get()) {
        action.run();
      }
    });
  }

  /** Perhaps it dies at this point of a request. */
  void mayCrash(Fault point) {
    if (up && schedule.strikes(point)) {
      schedule.in(schedule.between(0, 2), this::crash);
    }
  }

  private void crash() {
    if (!up) {
      return;
    }
    schedule.note(name() + " dies with " + running.size() + " requests");
    up = false;
    life++;
    List<Run> lost = List.copyOf(running);
    running.clear();
    begins.clear();
    ends.clear();
    beginning = false;
    ending = false;
    sweeping = false;
    lost.forEach(Run::died);
    schedule.in(schedule.between(100, 20_000), this::start);
  }

  void accept(Request request, Client client) {
    schedule.note(name() + " has " + request.name());
    Run run = new Run(world, this, request, client);
    running.add(run);
    client.accepted(run);
    in(LATE_MILLIS, run::late);
    if (request.answer()) {
      begin(List.of(run)); // turns begin alone (TurnRepository.begin)
    } else {
      begins.add(run);
      gather();
    }
  }

  /** What comes in one moment begins together (GroupCommit). */
  private void gather() {
    if (!beginning && !begins.isEmpty()) {
      beginning = true;
      in(schedule.between(0, 2), () -> {
        List<Run> group = List.copyOf(begins);
        begins.clear();
        begin(group);
        beginning = false;
        gather();
      });
    }
  }

  /** TurnGroups.beginAll: who the copy admits goes on, the others are looked at in the database. */
  private void begin(List<Run> group) {
    Supplier<Boolean> alive = alive();
    schedule.message(() -> {
      if (alive.get()) {
        askCopy(group);
      }
    });
  }

  private void askCopy(List<Run> group) {
    List<Run> admitted = new ArrayList<>();
    for (Run run : group) {
      if (world.copy.mayHold(run.request)) {
        admitted.add(run);
        if (world.flaw == Flaw.TRUSTS_THE_COPY) {
          run.begun(new Bank.Begun("true", null));
        }
      } else {
        world.database(
            name() + " checks " + run.request.name(),
            () -> world.bank.couldHold(run.request),
            alive(),
            could -> {
              if (could) {
                commit(List.of(run));
              } else {
                run.begun(new Bank.Begun("AG402", null));
              }
            },
            run::notBegun);
      }
    }
    if (!admitted.isEmpty() && world.flaw != Flaw.TRUSTS_THE_COPY) {
      commit(admitted);
    }
  }

  private void commit(List<Run> group) {
    group.forEach(run -> mayCrash(Fault.CRASH_BEGINNING));
    String node = name();
    List<Request> requests = group.stream().map(run -> run.request).toList();
    if (world.flaw == Flaw.CALLS_EARLY) {
      group.forEach(Run::call);
    }
    world.database(
        node + " begins " + requests.stream().map(Request::name).toList(),
        () -> {
          List<Bank.Begun> answers = requests.get(0).answer()
              ? List.of(world.bank.beginTurn(node, requests.get(0)))
              : world.bank.beginAll(node, requests);
          for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).begun()) {
              world.leased(requests.get(i), node, leaseMillis(requests.get(i)));
              mayCrash(Fault.CRASH_HELD);
            }
          }
          return answers;
        },
        alive(),
        answers -> {
          for (int i = 0; i < answers.size(); i++) {
            world.learn(requests.get(i), answers.get(i));
            group.get(i).begun(answers.get(i));
          }
        },
        () -> group.forEach(Run::notBegun));
  }

  private static long leaseMillis(Request request) {
    return request.answer() ? TURN_LEASE_MILLIS : COMPLETION_LEASE_MILLIS;
  }

  /** An end on its way to the database. */
  private final class Finish {
    private final Request request;
    private final JsonObject end;
    private final Run run;
    private int tried;

    private Finish(Run run, JsonObject end) {
      this.request = run.request;
      this.run = run;
      this.end = end;
    }

    private void send() {
      mayCrash(Fault.CRASH_ENDING);
      if (request.answer()) {
        finish(List.of(this));
      } else {
        ends.add(this);
        gatherEnds();
      }
    }

    private void done(Bank.Begun answer) {
      world.learn(request, answer);
      running.remove(run);
    }

    /** Finisher.attempt, then Finisher.later. */
    private void away() {
      if (world.flaw == Flaw.ENDS_AGAIN_UNDER_A_NEW_ID) {
        endAgain();
      }
      tried++;
      if (tried <= RETRY_MILLIS.size()) {
        in(RETRY_MILLIS.get(tried - 1), this::send);
      } else if (tried <= RETRY_MILLIS.size() + LATER_TRIES) {
        in(LATER_MILLIS, this::send);
      } else {
        running.remove(run); // left to the sweeper
      }
    }

    private void endAgain() {
      Request again = new Request(
          request.person(),
          new UUID(schedule.anyLong(), schedule.anyLong()),
          false,
          request.inputChars(),
          request.holdMicroUsd());
      if (world.bank.beginAll(name(), List.of(again)).get(0).begun()) {
        world.bank.finishAll(name(), List.of(new Bank.End(again, end)));
      }
    }
  }

  void finish(Run run, JsonObject end) {
    new Finish(run, end).send();
  }

  void over(Run run) {
    running.remove(run);
  }

  boolean has(Run run) {
    return running.contains(run);
  }

  private void gatherEnds() {
    if (!ending && !ends.isEmpty()) {
      ending = true;
      in(schedule.between(0, 2), () -> {
        List<Finish> group = List.copyOf(ends);
        ends.clear();
        ending = false;
        finish(group);
      });
    }
  }

  private void finish(List<Finish> group) {
    String node = name();
    world.database(
        node + " ends " + group.stream().map(one -> one.request.name()).toList(),
        () -> {
          List<Bank.Begun> answers = group.get(0).request.answer()
              ? List.of(world.bank.finishTurn(
                  node, group.get(0).request.person(), group.get(0).request.id(), group.get(0).end))
              : world.bank.finishAll(
                  node,
                  group.stream().map(one -> new Bank.End(one.request, one.end)).toList());
          for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).begun()) {
              world.ended(group.get(i).request.id());
              mayCrash(Fault.CRASH_ENDED);
            }
          }
          return answers;
        },
        alive(),
        answers -> {
          for (int i = 0; i < answers.size(); i++) {
            group.get(i).done(answers.get(i));
          }
        },
        () -> group.forEach(Finish::away));
  }

  /** Keeper.renew: without a renewal for about a lease nothing more is shown. */
  private void renew() {
    List<Run> turns =
        running.stream().filter(run -> run.request.answer() && run.begun).toList();
    if (turns.isEmpty()) {
      provenMillis = schedule.now();
      return;
    }
    if (schedule.now() - provenMillis > TURN_LEASE_MILLIS * 5 / 6) {
      turns.forEach(Run::interrupt);
    }
    String node = name();
    long asked = schedule.now();
    List<Request> requests = turns.stream().map(run -> run.request).toList();
    world.database(
        node + " renews",
        () -> {
          List<UUID> lost = world.bank.renew(node, requests);
          requests.forEach(one -> world.renewed(one.id(), node, TURN_LEASE_MILLIS));
          return lost;
        },
        alive(),
        lost -> {
          provenMillis = asked;
          turns.stream().filter(run -> lost.contains(run.request.id())).forEach(Run::interrupt);
        },
        () -> {});
  }

  /** Keeper.sweep: what a dead node left ends as interrupted; the log of turns is away here. */
  private void sweep() {
    if (sweeping || world.flaw == Flaw.NEVER_SWEEPS) {
      return;
    }
    sweeping = true;
    String node = name();
    world.database(
        node + " sweeps",
        () -> world.claim(node, TURN_LEASE_MILLIS),
        alive(),
        lapsed -> {
          sweeping = false;
          lapsed.stream()
              .filter(one -> running.stream()
                  .noneMatch(run ->
                      run.request.answer() && run.begun && run.request.id().equals(one.request())))
              .forEach(one -> endLapsed(node, one, 0));
        },
        () -> sweeping = false);
  }

  private void endLapsed(String node, Bank.Lapsed lapsed, int tried) {
    JsonObject end = end(
        Bill.of(Upstream.BOOK::costMicroUsd, Bill.Call.NONE, TurnState.FAILED, false),
        TurnState.FAILED,
        "interrupted");
    world.database(
        node + " ends what lapsed",
        () -> {
          Bank.Begun answer = world.bank.finishTurn(node, lapsed.person(), lapsed.request(), end);
          if (answer.begun()) {
            world.ended(lapsed.request());
          }
          return answer;
        },
        alive(),
        answer -> {},
        () -> {
          if (tried < RETRY_MILLIS.size()) {
            in(RETRY_MILLIS.get(tried), () -> endLapsed(node, lapsed, tried + 1));
          }
        });
  }

  static JsonObject end(Bill bill, TurnState state, @Nullable String error) {
    return bill.toJson()
        .put("status", state.wire())
        .put("content", "")
        .put("citations", new JsonArray())
        .put("queryPlan", new JsonObject())
        .put("finishReason", error == null ? "stop" : "error")
        .put("latencyMs", 1)
        .put("errorCode", error);
  }
}
