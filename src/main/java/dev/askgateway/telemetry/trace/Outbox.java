package dev.askgateway.telemetry.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Ended spans on their way to the collector, so many at most: what does not fit is dropped here, so that it
 * can be counted, and what the collector does not take is dropped after its retries. Nobody waits.
 */
final class Outbox implements SpanProcessor {
  private static final int BATCH = 512;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final int most;
  private final SpanProcessor batches;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder sent = new LongAdder();
  private final LongAdder overflowed = new LongAdder();
  private final LongAdder refused = new LongAdder();

  Outbox(SpanExporter collector, int most) {
    this.most = most;
    this.batches = BatchSpanProcessor.builder(new Counted(collector))
        .setMaxQueueSize(most)
        .setMaxExportBatchSize(Math.min(BATCH, most))
        .setScheduleDelay(PAUSE)
        .build();
  }

  /** Spans that the collector took; ever growing. */
  long sent() {
    return sent.sum();
  }

  /** Spans that found no room; ever growing. */
  long overflowed() {
    return overflowed.sum();
  }

  /** Spans that the collector did not take; ever growing. */
  long refused() {
    return refused.sum();
  }

  /** Nobody waits any more, as the process ends: what is on its way counts as not taken, once. */
  void giveUp() {
    refused.add(waiting.getAndSet(0));
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    // only what has ended is sent
  }

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (!span.getSpanContext().isSampled()) {
      return;
    }
    if (waiting.incrementAndGet() > most) {
      waiting.decrementAndGet();
      overflowed.increment();
    } else {
      batches.onEnd(span);
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return batches.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return batches.shutdown();
  }

  /** The collector, with what becomes of each batch counted. A batch waits until that is known. */
  private final class Counted implements SpanExporter {
    private final SpanExporter collector;

    Counted(SpanExporter collector) {
      this.collector = collector;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      int count = spans.size(); // the list is used again
      CompletableResultCode result = collector.export(spans);
      result.whenComplete(() -> {
        int before = waiting.getAndUpdate(there -> Math.max(0, there - count));
        (result.isSuccess() ? sent : refused)
            .add(Math.min(before, count)); // none that was given up
      });
      return result;
    }

    @Override
    public CompletableResultCode flush() {
      return collector.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return collector.shutdown();
    }
  }
}
