package dev.askgateway.evals.service;

import dev.askgateway.evals.service.Service.Bench;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the gateway itself takes to the first text: the model begins at once. At several rates, each question
 * once for the first time, when its vector is made, and once more, when its vector is in the cache. At the
 * least rate also those of the largest accounts.
 */
final class Asks {
  private static final int LEAST = 25;
  private static final List<Integer> RATES = List.of(LEAST, 50, 100);
  private static final int SECONDS = Integer.getInteger("service.seconds", 30);

  private final Bench bench;

  Asks(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    bench.report().number("start to ready, s", bench.gateway().startup().toMillis() / 1e3);
    bench.model().pace(Duration.ZERO);
    for (int rate : RATES) {
      List<Askers.Question> asked = bench.questions().next(rate * SECONDS);
      round(rate, "new", asked);
      round(rate, "again", asked);
    }
    round(LEAST, "of the largest, new", bench.questions().ofTheLargest());
    round(LEAST, "of the largest, again", bench.questions().ofTheLargest());
  }

  private void round(int rate, String which, List<Askers.Question> asked) throws Exception {
    Map<String, Double> before = bench.gateway().metrics();
    Duration cpu = bench.gateway().cpu();
    List<Told> all = bench.askers().arrive(asked.size(), rate, asked::get, number -> false);
    List<Told> whole = all.stream().filter(Told::isWhole).toList();
    double used = bench.gateway().cpu().minus(cpu).toNanos() / 1e6 / whole.size();
    String name = rate + "/s, " + which;
    bench.report().times(name + ": retrieving", whole, told -> told.retrieving);
    bench.report().times(name + ": first text", whole, told -> told.firstText);
    bench.report().times(name + ": whole", whole, told -> told.end);
    bench.report().number(name + ": CPU of the gateway, ms", used);
    bench
        .report()
        .number(name + ": turned away", all.stream().filter(Told::isTurnedAway).count());
    bench.failures(all);
    means(before, bench.gateway().metrics());
  }

  /** Where the time went: means of what the gateway measures of itself, in milliseconds. */
  private void means(Map<String, Double> before, Map<String, Double> after) {
    Map<String, String> means = new TreeMap<>();
    after.forEach((sample, sum) -> {
      String count = sample.replace("_seconds_sum", "_seconds_count");
      if (sample.contains("_seconds_sum") && after.containsKey(count)) {
        double times = after.get(count) - before.getOrDefault(count, 0.0);
        double spent = sum - before.getOrDefault(sample, 0.0);
        if (times > 0) {
          means.put(
              sample.replace("_seconds_sum", ""),
              "%.1f x%.0f".formatted(spent / times * 1e3, times));
        }
      }
    });
    bench.report().say("  means " + means);
  }
}
