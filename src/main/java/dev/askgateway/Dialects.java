package dev.askgateway;

import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.anthropic.AnthropicProvider;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.gemini.GeminiEmbedding;
import dev.askgateway.provider.gemini.GeminiProvider;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.onnx.OnnxEmbeddings;
import dev.askgateway.provider.onnx.OnnxLoader;
import dev.askgateway.provider.openai.OpenAiEmbedding;
import dev.askgateway.provider.openai.OpenAiProvider;
import io.vertx.core.Vertx;

/**
 * The one place that names every wire format.
 *
 * @param onnx the model in this process, loaded when a text is embedded with it
 */
record Dialects(Vertx vertx, UpstreamClient client, OnnxLoader onnx) implements ProviderFactory {

  /** What answers from evidence alone, in this process. */
  static ModelProvider quoting(Vertx vertx) {
    return new ExtractiveProvider(vertx);
  }

  @Override
  public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
    return switch (provider.dialect()) {
      case OPENAI -> new OpenAiProvider(client, provider, model);
      case ANTHROPIC -> new AnthropicProvider(client, provider, model);
      case GEMINI -> new GeminiProvider(client, provider, model);
      case EXTRACTIVE -> quoting(vertx);
      case ONNX -> throw new IllegalArgumentException("the catalogue lets no ONNX model answer");
    };
  }

  @Override
  public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
    return switch (provider.dialect()) {
      case OPENAI -> new OpenAiEmbedding(client, provider, model);
      case GEMINI -> new GeminiEmbedding(client, provider, model);
      case ONNX -> new OnnxEmbeddings(provider.name(), onnx);
      case ANTHROPIC, EXTRACTIVE ->
        throw new IllegalArgumentException(provider.dialect().wire() + " makes no vectors");
    };
  }
}
