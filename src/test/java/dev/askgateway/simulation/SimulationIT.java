package dev.askgateway.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.simulation.Audit.Outcome;
import dev.askgateway.simulation.Violation.Rule;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * {@code -Dsim.runs} says how many runs there are, {@code -Dsim.seed} with which seed they begin: a run
 * that fails names its own.
 */
@DisplayName("Whatever fails, and in whatever order")
class SimulationIT {
  private static final int RUNS = Integer.getInteger("sim.runs", 150);
  private static final long SEED = Long.getLong("sim.seed", 1);
  private static final int RUNS_OF_A_FLAW = 100;
  private static final int TRACE_LINES = 120;

  /** By which rules a flaw may come out. */
  private static final Map<Flaw, Set<Rule>> FOUND_BY = Map.ofEntries(
      Map.entry(Flaw.CALLS_EARLY, Set.of(Rule.HELD_FIRST)),
      Map.entry(Flaw.TRUSTS_THE_COPY, Set.of(Rule.HELD_FIRST)),
      Map.entry(Flaw.REPEATS_A_USED_ID, Set.of(Rule.ONE_CALL, Rule.HELD_FIRST)),
      Map.entry(Flaw.REPLACES_WHAT_WAS_SHOWN, Set.of(Rule.ONE_CALL)),
      Map.entry(Flaw.ENDS_AGAIN_UNDER_A_NEW_ID, Set.of(Rule.KNOWN)),
      Map.entry(Flaw.STEALS_LEASES, Set.of(Rule.LIVE_LEASE)),
      Map.entry(Flaw.NEVER_SWEEPS, Set.of(Rule.ONE_END)),
      Map.entry(Flaw.ESTIMATES_ALWAYS, Set.of(Rule.BILL)),
      Map.entry(Flaw.NEVER_STOPS_THE_SLOWER, Set.of(Rule.ONE_CALL)),
      Map.entry(Flaw.FORGETS_THE_SLOWER, Set.of(Rule.BILL)),
      Map.entry(Flaw.CHARGES_HALF_AN_EMBEDDING, Set.of(Rule.BILL)),
      Map.entry(Flaw.TELLS_PAST_A_GAP, Set.of(Rule.ONE_TEXT)),
      Map.entry(Flaw.EXPIRES_IN_SILENCE, Set.of(Rule.BOOKS)),
      Map.entry(Flaw.FORGETS_THE_OLD_MONTH, Set.of(Rule.BOOKS, Rule.ONE_END)));

  private static final Logger GATEWAY = (Logger) LoggerFactory.getLogger("dev.askgateway");

  private static Vertx vertx;
  private static Counting counting;
  private static Bank bank;
  private static int worlds;

  @BeforeAll
  static void start() throws SQLException {
    // What fails here is meant to.
    GATEWAY.setLevel(Level.OFF);
    // One turn of its loop is a whole run, with a database that is waited for.
    vertx = Vertx.vertx(new VertxOptions().setBlockedThreadCheckInterval(3_600_000));
    counting = Counting.o200k(vertx);
    bank = bank("simulation");
  }

  private static Bank bank(String name) throws SQLException {
    String url = DevServices.shared().freshDatabase(name);
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    return new Bank(url);
  }

  @AfterAll
  static void stop() throws SQLException {
    GATEWAY.setLevel(null);
    bank.close();
    Wait.on(vertx.close());
  }

  /** Where the gateway looks whether it is on an event loop, it is. */
  private static <T> T onLoop(Supplier<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    vertx.runOnContext(on -> {
      try {
        done.complete(work.get());
      } catch (RuntimeException | Error broken) {
        done.completeExceptionally(broken);
      }
    });
    try {
      return done.join();
    } catch (CompletionException broken) {
      if (broken.getCause() instanceof Violation violation) {
        throw violation;
      }
      throw broken;
    }
  }

  private static World world(Flaw flaw, long seed) {
    worlds++;
    return onLoop(() -> new World(bank, counting, flaw, seed, flaw + "-" + worlds));
  }

  private static Outcome run(World world, long seed) {
    try {
      return onLoop(world::run);
    } catch (Violation broken) {
      List<String> trace = world.schedule.trace();
      List<String> last = trace.subList(Math.max(0, trace.size() - TRACE_LINES), trace.size());
      throw new AssertionError(
          "-Dsim.runs=1 -Dsim.seed=" + seed + "\n" + String.join("\n", last), broken);
    } finally {
      world.tidy();
    }
  }

  @Test
  @DisplayName("each begun request has one end, one model's answer and the bill of just that")
  void holds() {
    List<Outcome> outcomes = new ArrayList<>();
    Map<Fault, Long> struck = new EnumMap<>(Fault.class);
    for (long seed = SEED; seed < SEED + RUNS; seed++) {
      World world = world(Flaw.NONE, seed);
      outcomes.add(run(world, seed));
      world.schedule.struck().forEach((fault, times) -> struck.merge(fault, times, Long::sum));
    }
    assertThat(bank.drift(Flaw.NONE.name()).rows()).isEmpty();
    System.out.println("[simulation] " + Audit.sum(outcomes) + ", faults " + struck);
    if (RUNS >= 100) {
      assertThat(struck).containsOnlyKeys(Fault.values()); // it was about all of them
      assertThat(outcomes)
          .anyMatch(one -> one.hedged() > 0)
          .anyMatch(one -> one.seen().replayed() > 0)
          .anyMatch(one -> one.seen().overMonths() > 0)
          .anyMatch(one -> one.seen().expiredHeld() > 0);
    }
  }

  @Test
  @DisplayName("the same seed makes the same run, step by step")
  void repeats() throws SQLException {
    List<List<String>> traces = new ArrayList<>();
    for (String name : List.of("repeated", "again")) {
      try (Bank own = bank(name)) {
        World world = onLoop(() -> new World(own, counting, Flaw.NONE, SEED, "w"));
        run(world, SEED);
        traces.add(world.schedule.trace());
      }
    }
    assertThat(traces.get(0)).hasSizeGreaterThan(20).isEqualTo(traces.get(1));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(value = Flaw.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("a node with a planted mistake is found out")
  void finds(Flaw flaw) {
    plant(flaw);
    try {
      find(flaw);
    } finally {
      bank.restore();
    }
  }

  /** What is a mistake of the database's own functions. */
  private static void plant(Flaw flaw) {
    if (flaw == Flaw.EXPIRES_IN_SILENCE) {
      bank.plant("expire_credits", "- gone, gone)", "0, 0)");
    } else if (flaw == Flaw.FORGETS_THE_OLD_MONTH) {
      bank.plant(
          "lock_account",
          "carried_micro_usd + held_micro_usd + overage_held_micro_usd",
          "carried_micro_usd");
    }
  }

  private static void find(Flaw flaw) {
    for (int runs = 1; runs <= RUNS_OF_A_FLAW; runs++) {
      World world = world(flaw, SEED + runs);
      try {
        onLoop(world::run);
      } catch (Violation found) {
        System.out.println(
            "[simulation] " + flaw + " found by " + found.rule() + " after runs: " + runs);
        assertThat(FOUND_BY.get(flaw)).contains(found.rule());
        return;
      } finally {
        world.tidy();
      }
    }
    throw new AssertionError(flaw + " was not found in " + RUNS_OF_A_FLAW + " runs");
  }
}
