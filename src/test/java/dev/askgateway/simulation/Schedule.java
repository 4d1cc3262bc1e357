package dev.askgateway.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Simulated time, chance, and the one order in which everything happens. Milliseconds. */
final class Schedule {
  private final Random random;
  private final PriorityQueue<Step> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::turn));
  private final List<String> trace = new ArrayList<>();
  private final Map<Fault, Long> struck = new EnumMap<>(Fault.class);
  private long now;
  private long steps;
  private boolean quiet;

  /** What happens then; among those of one moment chance decides. */
  private record Step(long at, long turn, Runnable action) {}

  Schedule(long seed) {
    random = new Random(seed);
  }

  long now() {
    return now;
  }

  /** The same as the gateway measures it. */
  long nanos() {
    return now * 1_000_000;
  }

  long steps() {
    return steps;
  }

  List<String> trace() {
    return trace;
  }

  Map<Fault, Long> struck() {
    return struck;
  }

  void in(long millis, Runnable action) {
    waiting.add(new Step(now + millis, random.nextLong(), action));
  }

  /** The time of a message: short, and seconds at times, so that what was sent first comes last. */
  void message(Runnable action) {
    in(strikes(Fault.DELAY) ? between(500, 20_000) : between(0, 5), action);
  }

  /** Does what comes next; false when nothing does. */
  boolean step() {
    Step next = waiting.poll();
    if (next == null) {
      return false;
    }
    now = next.at();
    steps++;
    next.action().run();
    return true;
  }

  int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  long anyLong() {
    return random.nextLong();
  }

  /** Whether it goes wrong here. */
  boolean strikes(Fault fault) {
    if (random.nextInt(1_000) >= fault.perMille || quiet) {
      return false;
    }
    count(fault);
    return true;
  }

  void count(Fault fault) {
    struck.merge(fault, 1L, Long::sum);
    note("FAULT " + fault);
  }

  /** From now on nothing goes wrong any more. */
  void quiet() {
    quiet = true;
  }

  boolean isQuiet() {
    return quiet;
  }

  void note(String what) {
    trace.add(now + " ms  " + what);
  }
}
