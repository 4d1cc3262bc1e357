package dev.askgateway.provider.gate;

import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderFailure;
import org.jspecify.annotations.Nullable;

/** A model that may be asked, and who keeps its health. Shared by all event loops. */
public interface Candidate {

  ModelProvider provider();

  /** Leave to ask it now; null: it is thought to be down, or full. */
  @Nullable
  Permit admit();

  /**
   * Leave for one call. Exactly one of {@code succeeded}, {@code failed} and {@code abandoned} ends it.
   */
  interface Permit {

    /** The first output came, so many nanoseconds after the call's start. */
    void firstOutput(long nanos);

    /** The provider did its part: an answer, also a refusal by its content filter. */
    void succeeded();

    /** The call failed; only some kinds speak against the provider. */
    void failed(ProviderFailure.Kind kind);

    /** We gave the call up for reasons of our own: nothing is known. */
    void abandoned();
  }

  /** A model that may always be asked and whose health nobody keeps. */
  static Candidate of(ModelProvider provider) {
    Permit permit = new Permit() {
      @Override
      public void firstOutput(long nanos) {}

      @Override
      public void succeeded() {}

      @Override
      public void failed(ProviderFailure.Kind kind) {}

      @Override
      public void abandoned() {}
    };
    return new Candidate() {
      @Override
      public ModelProvider provider() {
        return provider;
      }

      @Override
      public Permit admit() {
        return permit;
      }
    };
  }
}
