package dev.askgateway.evals.service;

import dev.askgateway.evals.service.Service.Bench;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** SIGTERM while many answers are told. */
final class Drain {
  private static final int STREAMS = Integer.getInteger("service.drained", 200);
  private static final int PER_SECOND = 40;

  private final Bench bench;

  Drain(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    bench.model().pace(Duration.ofMillis(300)); // 40 pieces: 12 s
    List<Askers.Question> asked = bench.questions().next(STREAMS);
    Askers.Arrivals open = bench.askers().begin(STREAMS, PER_SECOND, asked::get, number -> false);
    open.sent().await(1, TimeUnit.MINUTES);
    double streams = bench.gateway().metrics().getOrDefault("ask_sse_connections", 0.0);
    bench.report().number("open when told to stop", streams);
    long told = System.nanoTime();
    bench.gateway().terminate();
    List<Told> all = open.over();
    int exit = bench.gateway().exitCode();
    bench.report().number("told to stop to its end, s", (System.nanoTime() - told) / 1e9);
    bench.report().number("exit code", exit);
    bench.report().number("whole", all.stream().filter(Told::isWhole).count());
    bench.failures(all);
    bench.report().number("holds that are open", openHolds());
    bench.gateway().restart();
  }

  private long openHolds() throws SQLException {
    try (Connection owner = bench.data().owner();
        Statement statement = owner.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM budget_holds WHERE state = 'pending'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
