package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ModelProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A model that may be asked, and who keeps its health. Shared by all event loops. */
public interface Candidate {

  ModelProvider provider();

  /** Leave to ask it now; null: it is thought to be down, or full. */
  @Nullable
  Permit admit();

  /** How long {@link #admit} will surely refuse; zero: it may be asked now. */
  Duration refusedFor();

  /**
   * Leave for one call. Exactly one of {@code succeeded}, {@code failed} and {@code abandoned} ends it:
   * the first of them; later ones change nothing.
   */
  interface Permit {

    /** The first output came, so many nanoseconds after the call's start. */
    void firstOutput(long nanos);

    /** The provider did its part: an answer, also a refusal by its content filter. */
    void succeeded();

    /** The call failed; only some kinds speak against the provider. */
    void failed(GatewayError error);

    /** We gave the call up for reasons of our own: nothing is known. */
    void abandoned();
  }

  /** A model that may always be asked and whose health nobody keeps. */
  static Candidate of(ModelProvider provider) {
    return new Untracked(provider);
  }

  /** Always lets in. */
  record Untracked(ModelProvider provider) implements Candidate, Permit {
    @Override
    public Permit admit() {
      return this;
    }

    @Override
    public Duration refusedFor() {
      return Duration.ZERO;
    }

    @Override
    public void firstOutput(long nanos) {}

    @Override
    public void succeeded() {}

    @Override
    public void failed(GatewayError error) {}

    @Override
    public void abandoned() {}
  }
}
