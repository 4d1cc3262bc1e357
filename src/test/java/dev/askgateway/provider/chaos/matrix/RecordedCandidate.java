package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.gate.Candidate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A model with its real health, and a count of how the leaves to ask it end. */
final class RecordedCandidate implements Candidate {
  private final Candidate real;
  private final AtomicInteger permits = new AtomicInteger();
  private final AtomicInteger ends = new AtomicInteger();

  RecordedCandidate(Candidate real) {
    this.real = real;
  }

  @Override
  public ModelProvider provider() {
    return real.provider();
  }

  @Override
  public Duration refusedFor() {
    return real.refusedFor();
  }

  @Override
  public Permit admit() {
    Permit permit = real.admit();
    if (permit == null) {
      return null;
    }
    permits.incrementAndGet();
    return new Permit() {
      @Override
      public void firstOutput(long nanos) {
        permit.firstOutput(nanos);
      }

      @Override
      public void succeeded() {
        ends.incrementAndGet();
        permit.succeeded();
      }

      @Override
      public void failed(GatewayError error) {
        ends.incrementAndGet();
        permit.failed(error);
      }

      @Override
      public void abandoned() {
        ends.incrementAndGet();
        permit.abandoned();
      }
    };
  }

  int permits() {
    return permits.get();
  }

  int ends() {
    return ends.get();
  }
}
