package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Requests that were refused because there were too many. Any thread may call any method. */
public final class LimitMeters {
  /** Whose requests, and which. */
  public enum Scope {
    ASK,
    OTHER,
    ADDRESS
  }

  /** What there was too much of. */
  public enum Reason {
    RATE,
    CONCURRENCY
  }

  private final Labelled<Scope, Labelled<Reason, Counter>> limited;
  private final Counter alone;

  LimitMeters(MeterRegistry registry) {
    limited = new Labelled<>(scope -> new Labelled<>(reason -> Counter.builder("ask.limited")
        .description("Requests refused with 429 by our own limits")
        .tags("scope", Labels.lower(scope), "reason", Labels.lower(reason))
        .register(registry)));
    alone = Counter.builder("ask.limits.alone")
        .description("Decisions of this node for itself, because Redis was away")
        .register(registry);
  }

  /** A request was refused. */
  public void limited(Scope scope, Reason reason) {
    limited.of(scope).of(reason).increment();
  }

  /** A node decided for itself. */
  public void decidedAlone() {
    alone.increment();
  }
}
