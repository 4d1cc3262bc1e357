package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.route.HealthState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/** One row, played: one request, then four more, then one after all that. */
final class Play implements AutoCloseable {
  static final List<Dialect> DIALECTS = List.of(Dialect.OPENAI, Dialect.ANTHROPIC, Dialect.GEMINI);

  /** As many as open a breaker. */
  private static final int IN_A_ROW = 5;

  private final Row row;
  private final Dialect dialect;
  private final Vertx vertx;
  private final TwoModels models;
  private final RecordedCandidate firstCandidate;
  private final RecordedCandidate secondCandidate;
  private final Plan plan;
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<HealthState> health = new ArrayList<>();
  private int callsOfOne;
  private int secondCallsOfOne;
  private int callsOfFive;

  Play(Vertx vertx, UpstreamClient client, Dialect dialect, Row row) {
    this.row = row;
    this.dialect = dialect;
    this.vertx = vertx;
    models = new TwoModels(vertx, client, dialect, row);
    Plan real = models.models().plan(TwoModels.BOTH, Needs.NOTHING, Plan.Commit.TEXT);
    firstCandidate = new RecordedCandidate(real.candidates().get(0));
    secondCandidate = new RecordedCandidate(real.candidates().get(1));
    plan = new Plan(
        real.name(),
        List.of(firstCandidate, secondCandidate),
        real.commit(),
        real.deadlines(),
        real.attempts(),
        real.hedgeAfter(),
        real.mayHedge());
  }

  /** The first request, on an event loop; completes when its reader has seen an end. */
  Future<?> one() {
    return ask().onSuccess(asked -> {
      health.add(models.health("one"));
      callsOfOne = models.first().calls().size();
      secondCallsOfOne = models.second().calls().size();
    });
  }

  /** Four more, one after the other. */
  Future<?> fourMore() {
    Future<Outcome> last = Future.succeededFuture();
    for (int i = 1; i < IN_A_ROW; i++) {
      last = last.compose(before -> ask());
    }
    return last.onSuccess(asked -> {
      health.add(models.health("one"));
      callsOfFive = models.first().calls().size();
    });
  }

  /** One more, which a model that is down, full or closed to us must not hear of. */
  Future<?> last() {
    return ask();
  }

  private Future<Outcome> ask() {
    Outcome outcome = new Outcome();
    outcomes.add(outcome);
    new FailoverGate(vertx)
        .start(Prompts.request(), plan, outcome)
        .committed()
        .onComplete(
            committed -> outcome.read(committed.provider().name(), committed.stream()),
            outcome::fails);
    return outcome.ended();
  }

  /** Waits until a call that goes on by itself has been stopped by its caller. */
  void awaitStopped() {
    if (models.goesOn()) {
      Wait.on(models.first().firstAbort());
    }
  }

  Row row() {
    return row;
  }

  Dialect dialect() {
    return dialect;
  }

  TwoModels models() {
    return models;
  }

  /** What came of the first request. */
  Outcome outcome() {
    return outcomes.get(0);
  }

  /** What came of each, in order. */
  List<Outcome> outcomes() {
    return outcomes;
  }

  /** The first model's health after one request and after five. */
  List<HealthState> health() {
    return health;
  }

  /** The first model's calls after one request, by its server's count. */
  int callsOfOne() {
    return callsOfOne;
  }

  /** The second model's. */
  int secondCallsOfOne() {
    return secondCallsOfOne;
  }

  /** The first model's calls after five. */
  int callsOfFive() {
    return callsOfFive;
  }

  RecordedCandidate firstCandidate() {
    return firstCandidate;
  }

  RecordedCandidate secondCandidate() {
    return secondCandidate;
  }

  @Override
  public void close() {
    models.close();
  }
}
