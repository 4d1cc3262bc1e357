package dev.askgateway.evals.service;

import dev.askgateway.evals.service.Service.Bench;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
    List<Askers.Question> first = bench.questions().next(3_000);
    List<Told> busy = bench.askers().busy(32, FINDING, number -> first.get(number % first.size()));
    double capacity = busy.stream().filter(Told::isWhole).count() / (double) FINDING.toSeconds();
    bench.report().number("answers a second, 32 at a time", capacity);
    int rate = (int) Math.ceil(3 * capacity);
    List<Askers.Question> asked = bench.questions().next(Math.min(rate * SECONDS, 12_000));
    Askers.Arrivals many = bench
        .askers()
        .begin(rate * SECONDS, rate, number -> asked.get(number % asked.size()), number -> false);
    many.sent().await(2L * SECONDS, TimeUnit.SECONDS);
    List<Askers.Question> few = bench.questions().next(FEW * AFTER_SECONDS);
    Askers.Arrivals after = bench.askers().begin(few.size(), FEW, few::get, number -> false);
    told(rate, many.over());
    List<Told> fewer = after.over();
    bench.report().times("few at once afterwards: first text", fewer, told -> told.firstText);
    bench
        .report()
        .number("of them turned away", fewer.stream().filter(Told::isTurnedAway).count());
    bench.failures(fewer);
  }

  private void told(int rate, List<Told> all) {
    List<Told> admitted = all.stream().filter(Told::isWhole).toList();
    List<Told> refused = all.stream().filter(Told::isTurnedAway).toList();
    bench.report().number("asked a second", rate);
    bench.report().number("answered a second", admitted.size() / (double) SECONDS);
    bench.report().number("turned away", refused.size());
    bench.report().times("answered: first text", admitted, told -> told.firstText);
    bench.report().times("turned away: after", refused, told -> told.end);
    bench.failures(all);
  }
}
