package dev.askgateway.core;

import java.time.Duration;

/**
 * What one call for vectors used.
 *
 * @param profile the model's name in the configuration
 * @param model its id as the provider knows it
 * @param usage its input; of a call that failed what the provider reported of it
 * @param took from its start to its answer
 */
public record EmbeddingUse(
    String profile, String provider, String model, Usage usage, Duration took) {

  /** A share of it. */
  public EmbeddingUse of(long tokens) {
    return new EmbeddingUse(
        profile, provider, model, new Usage(tokens, 0, 0, 0, 0, usage.estimated()), took);
  }
}
