package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.VertxBuilder;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one gateway, in Prometheus' form. Any thread may call any method; none blocks.
 *
 * <p>Labels come from enums and from the configured provider names; any other name counts as
 * {@code other}, so that the number of series has a bound.
 */
public final class Telemetry {
  /** What became of the lines of an import. */
  public enum Ingested {
    NEW,
    CHANGED,
    UNCHANGED,
    DELETED,
    REJECTED
  }

  /** The two ways a passage is found. */
  public enum Leg {
    LEXICAL,
    VECTOR
  }

  private static final String OTHER = "other";
  private static final Duration[] LATENCIES = {
    Duration.ofMillis(25), Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250),
    Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofMillis(1500), Duration.ofSeconds(3),
    Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(60)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Set<String> providers;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger sse = new AtomicInteger();
  private final AtomicInteger redisDegraded = new AtomicInteger();
  private final AtomicLong indexQueue = new AtomicLong();
  // Held here: a registry keeps only weak references to what its gauges read.
  private volatile IntSupplier waitingQuestions = () -> 0;
  private volatile IntSupplier waitingPassages = () -> 0;
  private volatile LongSupplier exactFallbacks = () -> 0;
  private volatile UnaryOperator<String> presentState = model -> "";
  private final Counter started;
  private final Counter marksDropped;
  private final Counter writeDeadlines;
  private final Timer firstStatus;
  private final Timer firstText;

  /** @param providers the configured provider names, the only ones that become labels */
  public Telemetry(Set<String> providers) {
    this.providers = Set.copyOf(providers);
    started = Counter.builder("ask.answers.started").register(registry);
    marksDropped = Counter.builder("ask.citation.marks.dropped")
        .description("Citation marks of models that named no source, removed from the text")
        .register(registry);
    writeDeadlines = Counter.builder("ask.sse.write.deadline")
        .description("Streams given up because their reader took nothing")
        .register(registry);
    firstStatus = timer("ask.first.status", "From the request to its first status part");
    firstText = timer("ask.first.text", "From the request to its first text");
    Gauge.builder("ask.answers.running", running, AtomicInteger::get).register(registry);
    Gauge.builder("ask.sse.connections", sse, AtomicInteger::get).register(registry);
    Gauge.builder("ask.redis.degraded", redisDegraded, AtomicInteger::get)
        .description("1 while holds and replays go on without Redis")
        .register(registry);
    Gauge.builder("ask.index.queue", indexQueue, AtomicLong::get)
        .description("Persons whose messages wait for vectors, as last counted")
        .register(registry);
    embeddingQueue("question", telemetry -> telemetry.waitingQuestions.getAsInt());
    embeddingQueue("passage", telemetry -> telemetry.waitingPassages.getAsInt());
    FunctionCounter.builder(
            "ask.retrieval.exact.fallbacks",
            this,
            telemetry -> telemetry.exactFallbacks.getAsLong())
        .description("Vector searches done again without the index, because it found too few")
        .register(registry);
  }

  private void embeddingQueue(String kind, ToDoubleFunction<Telemetry> depth) {
    Gauge.builder("ask.embedding.queue", this, depth)
        .description("Texts that wait for the embedding model or run in it")
        .tag("kind", kind)
        .register(registry);
  }

  private Timer timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(LATENCIES)
        .register(registry);
  }

  /** A builder of a Vert.x that counts into these meters. */
  public VertxBuilder vertxBuilder() {
    return VertxMeters.builder(registry);
  }

  /** A turn was begun. Each is followed by exactly one {@link #answerEnded}. */
  public void answerStarted() {
    started.increment();
    running.incrementAndGet();
  }

  /**
   * A turn that this process began reached its terminal state.
   *
   * @param code why, if it did not complete
   * @param duration from the request to the end
   */
  public void answerEnded(TurnState state, GatewayError.@Nullable Code code, Duration duration) {
    running.decrementAndGet();
    registry
        .counter("ask.answers.ended", "state", state.wire(), "code", label(code))
        .increment();
    Timer.builder("ask.answer")
        .description("From the request to its end")
        .tag("state", state.wire())
        .serviceLevelObjectives(LATENCIES)
        .register(registry)
        .record(duration);
  }

  public void firstStatus(Duration sinceRequest) {
    firstStatus.record(sinceRequest);
  }

  public void firstText(Duration sinceRequest) {
    firstText.record(sinceRequest);
  }

  /**
   * One call of a model ended.
   *
   * @param code why it failed; null: it gave an answer
   */
  public void providerAttempt(String provider, GatewayError.@Nullable Code code) {
    registry
        .counter("ask.provider.attempts", "provider", known(provider), "code", label(code))
        .increment();
  }

  /** The tokens of one call, each kind apart; {@code reasoning} is a part of {@code output}. */
  public void tokens(String provider, Usage usage) {
    String estimated = String.valueOf(usage.estimated());
    tokens(provider, "input", estimated, usage.inputTokens());
    tokens(provider, "cache_read", estimated, usage.cacheReadTokens());
    tokens(provider, "cache_write", estimated, usage.cacheWriteTokens());
    tokens(provider, "output", estimated, usage.outputTokens());
    tokens(provider, "reasoning", estimated, usage.reasoningTokens());
  }

  private void tokens(String provider, String kind, String estimated, long count) {
    registry
        .counter("ask.tokens", "provider", known(provider), "kind", kind, "estimated", estimated)
        .increment((double) count);
  }

  /** What was settled for an answer, in micro-USD. */
  public void cost(String provider, long microUsd) {
    Counter cost = registry.counter("ask.cost.micro.usd", "provider", known(provider));
    cost.increment((double) microUsd);
  }

  public void citationMarksDropped(int marks) {
    marksDropped.increment(marks);
  }

  /** A leg of a search failed and was left out. */
  public void legFailed(Leg leg) {
    registry.counter("ask.retrieval.legs.failed", "leg", lower(leg)).increment();
  }

  /** A search ended with so many windows; 0 is a no-evidence answer. */
  public void retrieved(int windows) {
    registry
        .counter("ask.retrieval.windows", "windows", String.valueOf(Math.min(windows, 4)))
        .increment();
  }

  /** A stream was opened. Each is followed by exactly one {@link #sseClosed}. */
  public void sseOpened() {
    sse.incrementAndGet();
  }

  public void sseClosed() {
    sse.decrementAndGet();
  }

  public void writeDeadlinePassed() {
    writeDeadlines.increment();
  }

  public void redisDegraded(boolean degraded) {
    redisDegraded.set(degraded ? 1 : 0);
  }

  public void ingested(Ingested outcome, long lines) {
    registry.counter("ask.ingest.lines", "outcome", lower(outcome)).increment((double) lines);
  }

  /** Persons whose messages wait for vectors. */
  public void indexQueue(long persons) {
    indexQueue.set(persons);
  }

  /** Texts that got their vectors. */
  public void indexed(int texts) {
    registry.counter("ask.index.texts").increment(texts);
  }

  /** An embedding run that failed, whether it is tried again or not. */
  public void indexingFailed() {
    registry.counter("ask.index.failures").increment();
  }

  /**
   * What waits for the embedding model or runs in it, read at each scrape.
   *
   * @param questions questions of answers
   * @param passages texts of messages
   */
  public void embeddingQueues(IntSupplier questions, IntSupplier passages) {
    waitingQuestions = questions;
    waitingPassages = passages;
  }

  /** Vector searches that the index could not fill, which were done again exactly; ever growing. */
  public void exactFallbacks(LongSupplier count) {
    exactFallbacks = count;
  }

  /**
   * The state of each model, one series for each state it can be in, 1 for the present one.
   *
   * @param models "provider:model" as configured
   * @param states every state there is, lower case
   * @param present the state of a model, read at each scrape
   */
  public void modelHealth(
      Collection<String> models, Collection<String> states, UnaryOperator<String> present) {
    presentState = present;
    for (String model : models) {
      for (String state : states) {
        Gauge.builder(
                "ask.model.health",
                this,
                telemetry -> telemetry.presentState.apply(model).equals(state) ? 1 : 0)
            .description("1 for the state a model is in")
            .tag("model", model)
            .tag("state", state)
            .register(registry);
      }
    }
  }

  /** All meters in Prometheus' text format 0.0.4. Takes some milliseconds: for a worker thread. */
  public String scrape() {
    return registry.scrape();
  }

  private String known(String provider) {
    return providers.contains(provider) ? provider : OTHER;
  }

  private static String label(GatewayError.@Nullable Code code) {
    return code == null ? "none" : code.wire();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
