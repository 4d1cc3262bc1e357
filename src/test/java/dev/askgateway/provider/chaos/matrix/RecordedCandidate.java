package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.gate.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A model that may always be asked, and what the gate says of its health. */
final class RecordedCandidate implements Candidate {
  private final ModelProvider provider;
  private final List<String> ends = new ArrayList<>();
  private int permits;

  RecordedCandidate(ModelProvider provider) {
    this.provider = provider;
  }

  @Override
  public ModelProvider provider() {
    return provider;
  }

  @Override
  public Duration refusedFor() {
    return Duration.ZERO;
  }

  @Override
  public Permit admit() {
    permits++;
    return new Permit() {
      @Override
      public void firstOutput(long nanos) {}

      @Override
      public void succeeded() {
        ends.add("succeeded");
      }

      @Override
      public void failed(GatewayError error) {
        ends.add("failed " + ProviderFailure.kindOf(error));
      }

      @Override
      public void abandoned() {
        ends.add("abandoned");
      }
    };
  }

  int permits() {
    return permits;
  }

  /** How the permits ended, in order. */
  List<String> ends() {
    return ends;
  }
}
