package dev.askgateway.telemetry.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Spans on their way to the collector")
class OutboxTest {
  private static final int MOST = 3;

  private final Held collector = new Held();
  private final Outbox outbox = new Outbox(collector, MOST);

  /** A collector that answers when a test says so. */
  private static final class Held implements SpanExporter {
    private final List<CompletableResultCode> open = new CopyOnWriteArrayList<>();
    private volatile boolean holds = true;
    private volatile boolean takes = true;

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      CompletableResultCode answer = new CompletableResultCode();
      open.add(answer);
      if (!holds) {
        answer();
      }
      return answer;
    }

    void answer() {
      holds = false;
      open.forEach(each -> {
        if (takes) {
          each.succeed();
        } else {
          each.fail();
        }
      });
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  private void end(int spans) {
    end(spans, Sampler.alwaysOn());
  }

  private void end(int spans, Sampler sampler) {
    Tracer tracer = SdkTracerProvider.builder()
        .setSampler(sampler)
        .addSpanProcessor(outbox)
        .build()
        .get("test");
    for (int i = 0; i < spans; i++) {
      tracer.spanBuilder("step").startSpan().end();
    }
  }

  /** The processor may give a flush that is just over for the next one, so it is asked until all is told. */
  private void flush(int told) {
    collector.answer();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (outbox.sent() + outbox.refused() < told && System.nanoTime() < until) {
      outbox.forceFlush().join(10, TimeUnit.SECONDS);
      Thread.onSpinWait();
    }
    assertThat(outbox.sent() + outbox.refused()).isEqualTo(told);
  }

  @Test
  @DisplayName(
      "wait in a queue with a bound, also while the collector does not answer; more are dropped and counted")
  void bounded() {
    end(MOST + 4);

    assertThat(outbox.overflowed()).isEqualTo(4);
    flush(MOST);
    assertThat(outbox.sent()).isEqualTo(MOST);
    assertThat(outbox.refused()).isZero();
  }

  @Test
  @DisplayName("make room when they are sent")
  void roomAgain() {
    end(MOST);
    flush(MOST);
    end(MOST);
    flush(2 * MOST);

    assertThat(outbox.sent()).isEqualTo(2 * MOST);
    assertThat(outbox.overflowed()).isZero();
  }

  @Test
  @DisplayName("are counted as lost, and make room, when the collector does not take them")
  void refused() {
    collector.takes = false;
    end(MOST);
    flush(MOST);
    end(MOST);
    flush(2 * MOST);

    assertThat(outbox.refused()).isEqualTo(2 * MOST);
    assertThat(outbox.sent()).isZero();
    assertThat(outbox.overflowed()).isZero();
  }

  @Test
  @DisplayName(
      "count as lost when they are still on their way at the end, whatever becomes of them then")
  void givenUp() {
    end(MOST);
    outbox.giveUp();
    assertThat(outbox.refused()).isEqualTo(MOST);

    end(1);
    flush(MOST + 1);

    assertThat(outbox.refused()).isEqualTo(MOST);
    assertThat(outbox.sent()).isOne();
  }

  @Test
  @DisplayName("are only those of requests that are traced")
  void unsampled() {
    end(MOST + 1, Sampler.alwaysOff());
    end(1);
    flush(1);

    assertThat(outbox.sent()).isOne();
    assertThat(outbox.overflowed()).isZero();
  }
}
