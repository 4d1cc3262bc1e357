package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The meters of completions and embeddings, apart from those of answers. */
public final class CompletionMeters {
  /** What was asked for. */
  public enum Kind {
    CHAT,
    EMBEDDING
  }

  private final Map<Kind, One> kinds = new EnumMap<>(Kind.class);
  private final Timer firstOutput;

  /** The meters of one kind; holds what its gauge reads. */
  private record One(Counter started, AtomicInteger running, Endings endings) {}

  CompletionMeters(MeterRegistry registry) {
    for (Kind kind : Kind.values()) {
      kinds.put(kind, one(registry, Tags.of("kind", Labels.lower(kind))));
    }
    firstOutput = Timer.builder("ask.completion.first.output")
        .description("From the request for a completion to its first text, reasoning or tool call")
        .serviceLevelObjectives(Labels.LATENCIES)
        .register(registry);
  }

  private static One one(MeterRegistry registry, Tags kind) {
    AtomicInteger running = new AtomicInteger();
    Gauge.builder("ask.completions.running", running, AtomicInteger::get)
        .description("Completions and embeddings under way on this node")
        .tags(kind)
        .register(registry);
    return new One(
        Counter.builder("ask.completions.started")
            .description("Completions and embeddings that were begun")
            .tags(kind)
            .register(registry),
        running,
        new Endings(registry, "ask.completions.ended", "ask.completion", kind));
  }

  /** One was begun. Each is followed by exactly one {@link #ended}. */
  public void started(Kind kind) {
    One one = of(kind);
    one.started().increment();
    one.running().incrementAndGet();
  }

  /** The first output of a completion came so long after its request. */
  public void firstOutput(Duration sinceRequest) {
    firstOutput.record(sinceRequest);
  }

  /**
   * One is over.
   *
   * @param code why, if it did not complete
   * @param duration from the request to the end
   */
  public void ended(
      Kind kind, TurnState state, GatewayError.@Nullable Code code, Duration duration) {
    One one = of(kind);
    one.running().decrementAndGet();
    one.endings().count(state, code, duration);
  }

  private One of(Kind kind) {
    One one = kinds.get(kind);
    if (one == null) {
      throw new IllegalStateException("every kind has its meters");
    }
    return one;
  }
}
