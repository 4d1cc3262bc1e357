package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.telemetry.trace.Tracing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.VertxBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
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

  /** More are counted as so many: an answer has no more. */
  private static final int MOST_WINDOWS = 4;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final PoolNames pools = new PoolNames();
  private final Tracing tracing;
  private final ModelMeters models;
  private final CompletionMeters completions;
  private final LimitMeters limits;
  private final AdmissionMeters admission;
  private final MoneyMeters money;
  private final GroundingMeters grounding;
  private final RequestMeters requests;
  private final IndexMeters index;
  private final RolloutMeters rollouts;
  private final Endings answersEnded;
  private final Labelled<Ingested, Counter> ingested;
  private final Labelled<Leg, Counter> legsFailed;
  private final List<Counter> windows;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger sse = new AtomicInteger();
  private final AtomicInteger redisDegraded = new AtomicInteger();
  // Held here: a registry keeps only weak references to what its gauges read.
  private volatile IntSupplier waitingQuestions = () -> 0;
  private volatile IntSupplier waitingPassages = () -> 0;
  private volatile LongSupplier exactFallbacks = () -> 0;
  private volatile LongSupplier dataKeepAlives = () -> 0;
  private volatile LongSupplier inputsBounded = () -> 0;
  private final Counter started;
  private final Counter writeDeadlines;
  private final Counter holdCacheErrors;
  private final Timer firstStatus;
  private final Timer firstText;

  /** Without traces. */
  public Telemetry(Set<String> providers) {
    this(providers, Tracing.OFF);
  }

  /** @param providers the configured provider names, the only ones that become labels */
  public Telemetry(Set<String> providers, Tracing tracing) {
    this.tracing = tracing;
    registry.config().meterFilter(pools).meterFilter(new CleanNames());
    TraceMeters.of(tracing, registry);
    models = new ModelMeters(registry, providers);
    completions = new CompletionMeters(registry);
    limits = new LimitMeters(registry);
    admission = new AdmissionMeters(registry);
    money = new MoneyMeters(registry);
    grounding = new GroundingMeters(registry);
    requests = new RequestMeters(registry);
    index = new IndexMeters(registry, System::nanoTime);
    rollouts = new RolloutMeters(registry);
    ProcessMeters.bind(registry);
    answersEnded = new Endings(registry, "ask.answers.ended", "ask.answer", Tags.empty());
    ingested = counters("ask.ingest.lines", "Lines of imports, by what became of them", "outcome");
    legsFailed = counters(
        "ask.retrieval.legs.failed", "Legs of searches that failed and were left out", "leg");
    windows = IntStream.rangeClosed(0, MOST_WINDOWS)
        .mapToObj(count -> Counter.builder("ask.retrieval.windows")
            .description("Searches, by how many pieces of evidence they found")
            .tag("windows", String.valueOf(count))
            .register(registry))
        .toList();
    holdCacheErrors = Counter.builder("ask.hold.cache.errors")
        .description("Calls of the copy of accounts that went without Redis")
        .register(registry);
    started = Counter.builder("ask.answers.started")
        .description("Answers that were begun")
        .register(registry);
    writeDeadlines = Counter.builder("ask.sse.write.deadline")
        .description("Streams given up because their reader took nothing")
        .register(registry);
    firstStatus = timer("ask.first.status", "From the request to its first status part");
    firstText = timer("ask.first.text", "From the request to its first text");
    Gauge.builder("ask.answers.running", running, AtomicInteger::get)
        .description("Answers under way on this node")
        .register(registry);
    Gauge.builder("ask.sse.connections", sse, AtomicInteger::get)
        .description("Open streams of both surfaces")
        .register(registry);
    Gauge.builder("ask.redis.degraded", redisDegraded, AtomicInteger::get)
        .description("1 while holds and replays go on without Redis")
        .register(registry);
    embeddingQueue("question", telemetry -> telemetry.waitingQuestions.getAsInt());
    embeddingQueue("passage", telemetry -> telemetry.waitingPassages.getAsInt());
    FunctionCounter.builder(
            "ask.retrieval.exact.fallbacks",
            this,
            telemetry -> telemetry.exactFallbacks.getAsLong())
        .description("Vector searches done again without the index, because it found too few")
        .register(registry);
    FunctionCounter.builder(
            "ask.upstream.data.keepalives", this, telemetry -> telemetry.dataKeepAlives.getAsLong())
        .description("Keep-alives that providers wrote as data of a stream; ignored")
        .register(registry);
    FunctionCounter.builder(
            "ask.inputs.bounded", this, telemetry -> telemetry.inputsBounded.getAsLong())
        .description(
            "Inputs whose tokens were bounded for the hold, because nothing could count them")
        .register(registry);
  }

  private <E extends Enum<E>> Labelled<E, Counter> counters(
      String name, String description, String label) {
    return new Labelled<>(value -> Counter.builder(name)
        .description(description)
        .tag(label, Labels.lower(value))
        .register(registry));
  }

  /**
   * The servers whose connections are shown apart, "host:port"; those of any other are one series.
   * To be told before they are first asked.
   */
  public void upstreams(Set<String> servers) {
    pools.show(servers);
  }

  /** Calls of models, by provider. */
  public ModelMeters models() {
    return models;
  }

  /** Completions and embeddings. */
  public CompletionMeters completions() {
    return completions;
  }

  /** Requests that came too fast, or too many at once. */
  public LimitMeters limits() {
    return limits;
  }

  /** Who is let in. */
  public AdmissionMeters admission() {
    return admission;
  }

  /** What is written of money. */
  public MoneyMeters money() {
    return money;
  }

  /** Requests of all kinds, at their end. */
  public RequestMeters requests() {
    return requests;
  }

  /** How far the index is. */
  public IndexMeters index() {
    return index;
  }

  /** What operators changed. */
  public RolloutMeters rollouts() {
    return rollouts;
  }

  /** What answers rest on. */
  public GroundingMeters grounding() {
    return grounding;
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
        .serviceLevelObjectives(Labels.LATENCIES)
        .register(registry);
  }

  /** Spans of requests. */
  public Tracing tracing() {
    return tracing;
  }

  /** A builder of a Vert.x that counts into these meters, and is traced. */
  public VertxBuilder vertxBuilder() {
    return tracing.on(VertxMeters.builder(registry));
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
    answersEnded.count(state, code, duration);
  }

  public void firstStatus(Duration sinceRequest) {
    firstStatus.record(sinceRequest);
  }

  public void firstText(Duration sinceRequest) {
    firstText.record(sinceRequest);
  }

  /** A leg of a search failed and was left out. */
  public void legFailed(Leg leg) {
    legsFailed.of(leg).increment();
  }

  /** A search ended with so many windows; 0 is a no-evidence answer. */
  public void retrieved(int windows) {
    this.windows.get(Math.min(windows, MOST_WINDOWS)).increment();
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

  /** An account was looked up in Redis, or told to it, and Redis did not answer or was not asked. */
  public void holdCacheFailed() {
    holdCacheErrors.increment();
  }

  public void ingested(Ingested outcome, long lines) {
    ingested.of(outcome).increment((double) lines);
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

  /** Keep-alives of providers that came as data, read at each scrape; ever growing. */
  public void dataKeepAlives(LongSupplier count) {
    dataKeepAlives = count;
  }

  /** Inputs of completions that were bounded and not counted, read at each scrape; ever growing. */
  public void inputsBounded(LongSupplier count) {
    inputsBounded = count;
  }

  /** All meters in Prometheus' text format 0.0.4. Takes some milliseconds: for a worker thread. */
  public String scrape() {
    return registry.scrape();
  }
}
