package dev.askgateway.provider;

/** Makes the callers of configured models: one dialect each. */
public interface ProviderFactory {

  /** A model that answers; its {@link ModelProvider#name} is the provider's, its model the id there. */
  ModelProvider answering(ProviderConfig provider, ModelConfig model);

  /** A model that makes vectors. */
  EmbeddingModel embedding(ProviderConfig provider, ModelConfig model);
}
