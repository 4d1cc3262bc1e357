package dev.askgateway;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.provider.onnx.OnnxEmbeddings;
import dev.askgateway.provider.openai.OpenAiProvider;
import io.vertx.core.Vertx;

/** The one place that names every wire format. */
record Dialects(Vertx vertx, UpstreamClient client, OnnxEmbedder embedder)
    implements ProviderFactory {
  @Override
  public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
    return switch (provider.dialect()) {
      case OPENAI -> new OpenAiProvider(client, provider, model);
      case EXTRACTIVE -> new ExtractiveProvider(vertx);
      case ANTHROPIC, GEMINI, ONNX ->
        throw new IllegalArgumentException(provider.dialect().wire());
    };
  }

  @Override
  public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
    if (provider.dialect() == Dialect.ONNX) {
      return new OnnxEmbeddings(provider.name(), embedder);
    }
    throw new IllegalArgumentException(provider.dialect().wire());
  }
}
