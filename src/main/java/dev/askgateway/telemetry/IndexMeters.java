package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How far the index is, and how far it is behind as this node last counted. Any thread may call any method. */
public final class IndexMeters {
  private static final long NONE = Long.MIN_VALUE;

  private final LongSupplier nanos;
  private final Counter texts;
  private final Counter failures;
  private volatile long persons;
  private volatile long behindSince = NONE;

  IndexMeters(MeterRegistry registry, LongSupplier nanos) {
    this.nanos = nanos;
    texts = Counter.builder("ask.index.texts")
        .description("Texts that got their vectors")
        .register(registry);
    failures = Counter.builder("ask.index.failures")
        .description("Runs of embedding that failed, whether they are tried again or not")
        .register(registry);
    Gauge.builder("ask.index.queue", this, meters -> meters.persons)
        .description("Persons whose messages wait for vectors, as last counted")
        .register(registry);
    Gauge.builder("ask.index.backlog.age", this, IndexMeters::ageSeconds)
        .description("For how long some person's messages have waited for vectors without a break")
        .baseUnit("seconds")
        .register(registry);
  }

  /** So many texts got their vectors. */
  public void indexed(int count) {
    texts.increment(count);
  }

  /** A run of embedding failed, whether it is tried again or not. */
  public void failed() {
    failures.increment();
  }

  /** So many persons' messages wait. */
  public void backlog(long waiting) {
    if (waiting == 0) {
      behindSince = NONE;
    } else if (behindSince == NONE) {
      behindSince = nanos.getAsLong();
    }
    persons = waiting;
  }

  private double ageSeconds() {
    long since = behindSince;
    return since == NONE ? 0 : (nanos.getAsLong() - since) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
