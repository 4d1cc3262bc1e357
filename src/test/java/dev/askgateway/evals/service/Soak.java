package dev.askgateway.evals.service;

import dev.askgateway.evals.service.Service.Bench;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The same load for long, of which a tenth leaves in the middle of the answer. */
final class Soak {
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("service.soak", 1_200));
  private static final Duration ROUND = Duration.ofSeconds(60);
  private static final int PER_SECOND = 20;
  private static final int LEAVING = 10;

  private final Bench bench;

  Soak(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    bench.model().pace(Duration.ofMillis(20));
    int each = (int) (PER_SECOND * ROUND.toSeconds());
    for (int minute = 1; minute <= TIME.dividedBy(ROUND); minute++) {
      Map<String, Double> before = bench.gateway().metrics();
      List<Askers.Question> asked = bench.questions().next(each);
      List<Told> all = bench
          .askers()
          .arrive(each, PER_SECOND, asked::get, number -> number % LEAVING == LEAVING - 1);
      minute(minute, all, before, bench.gateway().metrics());
    }
  }

  private void minute(
      int minute, List<Told> all, Map<String, Double> before, Map<String, Double> after)
      throws Exception {
    long whole = all.stream().filter(Told::isWhole).count();
    long left = all.stream().filter(told -> told.left).count();
    double lag = difference("ask_event_loop_lag_seconds_sum", before, after)
        / Math.max(1, difference("ask_event_loop_lag_seconds_count", before, after));
    long others = all.size() - whole - left;
    bench.report().say("  %d: %d whole, %d left, %d others".formatted(minute, whole, left, others));
    bench.report().times(minute + ": first text", all, told -> told.firstText);
    bench.report().number(minute + ": resident, MB", bench.gateway().residentMb());
    bench.report().number(minute + ": open files", bench.gateway().openFiles());
    bench.report().number(minute + ": mean lag, ms", lag * 1e3);
    bench.failures(all);
  }

  private static double difference(
      String sample, Map<String, Double> before, Map<String, Double> after) {
    return after.getOrDefault(sample, 0.0) - before.getOrDefault(sample, 0.0);
  }
}
