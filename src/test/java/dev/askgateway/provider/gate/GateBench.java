package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the gate with short waits between repeats and writes down what its listener hears. */
final class GateBench implements AttemptListener {
  private static final Duration LONG = Duration.ofSeconds(30);
  static final Deadlines SLOW = new Deadlines(LONG, LONG, LONG, LONG, LONG);

  private static final Backoff QUICK = new Backoff(
      Duration.ofMillis(2), Duration.ofMillis(10), Duration.ofSeconds(10), new Random(7));

  /** What the listener heard, one line for each call. */
  final List<String> heard = new ArrayList<>();

  final List<Usage> spent = new ArrayList<>();

  private final Vertx vertx;

  GateBench(Vertx vertx) {
    this.vertx = vertx;
  }

  static Plan plan(
      Deadlines deadlines, Plan.Commit commit, int attempts, ModelProvider... providers) {
    return new Plan(
        "test",
        Stream.of(providers).map(Candidate::of).toList(),
        commit,
        deadlines,
        attempts,
        Duration.ZERO,
        () -> false);
  }

  static Plan text(int attempts, ModelProvider... providers) {
    return plan(SLOW, Plan.Commit.TEXT, attempts, providers);
  }

  static Plan hedged(int attempts, Plan.Hedging mayHedge, ModelProvider... providers) {
    return new Plan(
        "test",
        Stream.of(providers).map(Candidate::of).toList(),
        Plan.Commit.TEXT,
        SLOW,
        attempts,
        Duration.ofMillis(20),
        mayHedge);
  }

  /** To be called on the event loop. */
  FailoverGate.Run start(Plan plan) {
    return new FailoverGate(vertx, QUICK).start(Prompts.request(), plan, this);
  }

  /** Runs the gate and reads the chosen stream to its end. */
  Transcript ask(Plan plan) {
    return Wait.onLoop(vertx, () -> read(start(plan)));
  }

  static Future<Transcript> read(FailoverGate.Run run) {
    return run.committed()
        .compose(committed -> Transcript.of(committed.stream()))
        .otherwise(cause -> new Transcript(List.of(), (GatewayError) cause));
  }

  @Override
  public void started(Attempt attempt) {
    heard.add("start " + word(attempt));
  }

  @Override
  public void firstOutput(Attempt attempt, long nanos) {
    heard.add("output " + word(attempt));
  }

  @Override
  public void failed(Attempt attempt, GatewayError error, Usage usage, long nanos) {
    heard.add("fail " + word(attempt) + " " + why(error));
    spent.add(usage);
  }

  @Override
  public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
    heard.add("end " + word(attempt) + (failure == null ? "" : " " + why(failure)));
  }

  private static String why(GatewayError error) {
    return error.code() == Code.CANCELLED
        ? "cancelled"
        : ProviderFailure.kindOf(error).name();
  }

  private static String word(Attempt attempt) {
    return attempt.number()
        + (attempt.hedge() ? "h " : " ")
        + attempt.provider().name();
  }
}
