package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.anthropic.AnthropicProvider;
import dev.askgateway.provider.chaos.ChaosProvider;
import dev.askgateway.provider.chaos.Reply;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import dev.askgateway.provider.chaos.matrix.Row.Door;
import dev.askgateway.provider.chaos.matrix.Row.Limit;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.gemini.GeminiProvider;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.openai.OpenAiProvider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** One row, played: two models on real sockets, the first with the fault, and one request. */
final class Play implements AutoCloseable {
  static final String FIRST_TEXT = "one. ";
  static final List<Dialect> DIALECTS = List.of(Dialect.OPENAI, Dialect.ANTHROPIC, Dialect.GEMINI);

  private static final Script FIRST = Script.answer(FIRST_TEXT, "one more.");
  private static final Script SECOND = Script.answer("two. ", "two more.");
  static final String SECOND_TEXT = SECOND.text();

  /** Long enough for a busy machine to connect, short enough to wait for. */
  private static final Duration SHORT = Duration.ofMillis(1_500);

  private static final Duration LONG = Duration.ofSeconds(15);

  private final Row row;
  private final Dialect dialect;
  private final Reply reply;
  private final ChaosProvider first;
  private final ChaosProvider second;
  private final RecordedCandidate firstCandidate;
  private final RecordedCandidate secondCandidate;
  private final Outcome outcome = new Outcome();

  Play(Vertx vertx, UpstreamClient client, Dialect dialect, Row row) {
    this.row = row;
    this.dialect = dialect;
    Wording wording = Wording.of(dialect);
    reply = row.fault().over(wording, FIRST);
    first = switch (row.door()) {
      case OPEN -> ChaosProvider.listen(vertx, reply);
      case DEAF -> ChaosProvider.deaf(vertx);
      case REFUSES -> ChaosProvider.refusing(vertx);
    };
    second = ChaosProvider.listen(vertx, Reply.answer(wording, SECOND));
    String scheme = row.door() == Door.DEAF ? "https" : "http";
    firstCandidate = new RecordedCandidate(model(client, wording, "one", first.baseUrl(scheme)));
    secondCandidate = new RecordedCandidate(model(client, wording, "two", second.baseUrl()));
  }

  private static ModelProvider model(
      UpstreamClient client, Wording wording, String name, String url) {
    ProviderConfig provider =
        ProviderConfig.of(name, wording.dialect(), url, "key-" + name, wording.keyHeader());
    ModelConfig model = ModelConfig.of(name, "m");
    return switch (wording.dialect()) {
      case OPENAI -> new OpenAiProvider(client, provider, model);
      case ANTHROPIC -> new AnthropicProvider(client, provider, model);
      case GEMINI -> new GeminiProvider(client, provider, model);
      default -> throw new IllegalArgumentException(wording.dialect().wire());
    };
  }

  /** Asks, on an event loop, and completes when the reader has seen an end. */
  Future<Outcome> run(Vertx vertx) {
    Plan plan = new Plan(
        "matrix",
        List.of(firstCandidate, secondCandidate),
        Plan.Commit.TEXT,
        deadlines(row.limit()),
        2,
        Duration.ZERO,
        () -> false);
    new FailoverGate(vertx)
        .start(Prompts.request(), plan, outcome)
        .committed()
        .onComplete(
            committed -> outcome.read(committed.provider().name(), committed.stream()),
            outcome::fails);
    return outcome.ended();
  }

  private static Deadlines deadlines(Limit limit) {
    return new Deadlines(
        limit == Limit.CONNECT ? SHORT : LONG,
        limit == Limit.HEADERS ? SHORT : LONG,
        limit == Limit.FIRST_DELTA ? SHORT : LONG,
        limit == Limit.STALL ? SHORT : LONG,
        Duration.ofSeconds(60));
  }

  /** Waits until a call that goes on by itself has been stopped by its caller. */
  void awaitStopped() {
    if (row.door() == Door.OPEN && goesOn()) {
      Wait.on(first.firstAbort());
    }
  }

  private boolean goesOn() {
    Reply.Act last = reply.acts().get(reply.acts().size() - 1);
    return last instanceof Reply.Hold || last instanceof Reply.Again;
  }

  /** Whether the first model's server accepts the call, so that it may cost something. */
  boolean accepts() {
    return row.door() == Door.OPEN
        && reply.acts().get(0) instanceof Reply.Raw raw
        && raw.bytes().toString().startsWith("HTTP/1.1 200");
  }

  Row row() {
    return row;
  }

  Dialect dialect() {
    return dialect;
  }

  Outcome outcome() {
    return outcome;
  }

  ChaosProvider first() {
    return first;
  }

  ChaosProvider second() {
    return second;
  }

  RecordedCandidate firstCandidate() {
    return firstCandidate;
  }

  RecordedCandidate secondCandidate() {
    return secondCandidate;
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
