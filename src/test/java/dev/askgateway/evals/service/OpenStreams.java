package dev.askgateway.evals.service;

import dev.askgateway.evals.service.Service.Bench;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Very many answers that are open at once, and wait for their model. */
final class OpenStreams {
  private static final int STREAMS = Integer.getInteger("service.streams", 5_000);
  private static final int PER_SECOND = 25;
  private static final Duration HELD = Duration.ofSeconds(45);

  private final Bench bench;

  OpenStreams(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    MeasuredGateway gateway = bench.gateway();
    bench.report().number("resident before, MB", gateway.residentMb());
    bench.model().hold();
    List<Askers.Question> asked = bench.questions().next(STREAMS);
    Askers.Arrivals open = bench.askers().begin(STREAMS, PER_SECOND, asked::get, number -> false);
    long until =
        System.nanoTime() + Duration.ofSeconds(STREAMS / PER_SECOND).plus(HELD).toNanos();
    double most = 0;
    double streams = 0;
    while (System.nanoTime() < until) {
      TimeUnit.SECONDS.sleep(1); // a sample a second
      most = Math.max(most, gateway.residentMb());
      streams = Math.max(streams, gateway.metrics().getOrDefault("ask_sse_connections", 0.0));
    }
    bench.report().number("open at once", streams);
    bench.report().number("resident at most, MB", most);
    bench.report().number("resident at the end, MB", gateway.residentMb());
    bench.report().number("open files", gateway.openFiles());
    bench.model().release();
    List<Told> all = open.over();
    bench.report().number("whole", all.stream().filter(Told::isWhole).count());
    bench.report().number("turned away", all.stream().filter(Told::isTurnedAway).count());
    bench
        .report()
        .number("heartbeats", all.stream().mapToInt(told -> told.comments).sum());
    bench.report().times("first text", all, told -> told.firstText);
    bench.report().times("longest silence of a stream", all, Told::silence);
    bench.failures(all);
  }
}
