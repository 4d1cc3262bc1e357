package dev.askgateway.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.simulation.Violation.Rule;
import dev.askgateway.simulation.World.Outcome;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
  private static final Map<Flaw, Set<Rule>> FOUND_BY = Map.of(
      Flaw.CALLS_EARLY, Set.of(Rule.HELD_FIRST),
      Flaw.TRUSTS_THE_COPY, Set.of(Rule.HELD_FIRST),
      Flaw.REPEATS_A_USED_ID, Set.of(Rule.ONE_CALL, Rule.HELD_FIRST),
      Flaw.REPLACES_WHAT_WAS_SHOWN, Set.of(Rule.ONE_CALL),
      Flaw.ENDS_AGAIN_UNDER_A_NEW_ID, Set.of(Rule.KNOWN),
      Flaw.STEALS_LEASES, Set.of(Rule.LIVE_LEASE),
      Flaw.NEVER_SWEEPS, Set.of(Rule.ONE_END),
      Flaw.ESTIMATES_ALWAYS, Set.of(Rule.BILL));

  private static Bank bank;
  private static int worlds;

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("simulation");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    bank = new Bank(url);
  }

  @AfterAll
  static void stop() throws SQLException {
    bank.close();
  }

  private static World world(Flaw flaw, long seed) {
    worlds++;
    return new World(bank, flaw, seed, "w" + worlds);
  }

  private static Outcome run(World world, long seed) {
    try {
      return world.run();
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
    System.out.println("[simulation] runs " + outcomes.size() + ", steps "
        + outcomes.stream().mapToLong(Outcome::steps).sum() + ", requests "
        + outcomes.stream().mapToLong(Outcome::requests).sum() + ", begun "
        + outcomes.stream().mapToLong(Outcome::begun).sum() + ", model calls "
        + outcomes.stream().mapToLong(Outcome::calls).sum() + ", swept "
        + outcomes.stream().mapToLong(Outcome::swept).sum() + ", bounded by the hold "
        + outcomes.stream().mapToLong(Outcome::bounded).sum() + ", billed micro-USD "
        + outcomes.stream().mapToLong(Outcome::billedMicroUsd).sum() + ", violations 0, faults "
        + struck);
    if (RUNS >= 100) {
      assertThat(struck).containsOnlyKeys(Fault.values()); // it was about all of them
    }
  }

  @Test
  @DisplayName("the same seed makes the same run, step by step")
  void repeats() {
    List<List<String>> traces = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      World world = world(Flaw.NONE, SEED);
      run(world, SEED);
      String name = "w" + worlds + "-";
      traces.add(
          world.schedule.trace().stream().map(line -> line.replace(name, "")).toList());
    }
    assertThat(traces.get(0)).hasSizeGreaterThan(20).isEqualTo(traces.get(1));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(value = Flaw.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("a node with a planted mistake is found out")
  void finds(Flaw flaw) {
    for (int runs = 1; runs <= RUNS_OF_A_FLAW; runs++) {
      World world = world(flaw, SEED + runs);
      try {
        world.run();
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
