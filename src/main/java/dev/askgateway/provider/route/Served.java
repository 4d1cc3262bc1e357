package dev.askgateway.provider.route;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.gate.Candidate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A model that answers, with what is known of it. */
record Served(ModelConfig config, ModelProvider provider, ModelHealth health) implements Candidate {

  @Override
  public @Nullable Permit admit() {
    return health.admit();
  }

  @Override
  public Duration refusedFor() {
    return health.refusedFor();
  }

  /** Whether it has what a request needs, however long that is. */
  boolean can(Needs needs) {
    return new Needs(needs.tools(), needs.structuredOutput(), needs.images(), 0, 0)
        .metBy(config.capabilities());
  }

  boolean fits(Needs needs) {
    return needs.fits(config.capabilities());
  }
}
