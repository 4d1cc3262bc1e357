package dev.askgateway.evals.service;

import dev.askgateway.evals.service.Service.Bench;
import java.time.Duration;
import java.util.List;

/** Three times as many questions as it can answer, for a minute, then few again. */
final class Overload {
  private static final int FEW = 20;
  private static final Duration FINDING = Duration.ofSeconds(20);
  private static final int SECONDS = 60;
  private static final int AFTER_SECONDS = 10;

  private final Bench bench;

  Overload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    bench.model().pace(Duration.ZERO);
    List<Askers.Question> asked = bench.questions().next(8_000);
    List<Told> busy = bench.askers().busy(32, FINDING, number -> asked.get(number % asked.size()));
    double capacity = busy.stream().filter(Told::isWhole).count() / (double) FINDING.toSeconds();
    bench.report().number("answers a second, 32 at a time", capacity);
    int rate = (int) Math.ceil(3 * capacity);
    List<Told> all = bench
        .askers()
        .arrive(rate * SECONDS, rate, n -> asked.get(n % asked.size()), number -> false);
    List<Told> admitted = all.stream().filter(Told::isWhole).toList();
    bench.report().number("asked a second", rate);
    bench.report().number("answered a second", admitted.size() / (double) SECONDS);
    bench.report().number("turned away", all.stream().filter(Told::isTurnedAway).count());
    bench.report().times("answered: first text", admitted, told -> told.firstText);
    bench
        .report()
        .times(
            "turned away: after",
            all.stream().filter(Told::isTurnedAway).toList(),
            told -> told.end);
    bench.failures(all);
    for (int second = 0; second < AFTER_SECONDS; second += 5) {
      List<Told> few =
          bench.askers().arrive(FEW * 5, FEW, n -> asked.get(n % asked.size()), number -> false);
      bench
          .report()
          .times("few again, from " + second + " s: first text", few, told -> told.firstText);
      bench
          .report()
          .number("turned away", few.stream().filter(Told::isTurnedAway).count());
      bench.failures(few);
    }
  }
}
