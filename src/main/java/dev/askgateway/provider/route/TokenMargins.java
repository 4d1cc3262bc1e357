package dev.askgateway.provider.route;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import java.util.HashMap;
import java.util.Map;

/**
 * How many tokens models make of one that was counted, as their own vocabularies cut finer, and of an
 * image. Measured: docs/decisions/0014-tokenizer.md.
 */
public final class TokenMargins {
  /** Of vocabularies that are not known. */
  private static final double UNKNOWN = 1.5;

  /** Of Anthropic's, the finest of the large vendors'. */
  private static final double ANTHROPIC = 2;

  private final Map<String, Double> margins = new HashMap<>();
  private final Map<String, Integer> images = new HashMap<>();

  public TokenMargins(Catalogue catalogue) {
    for (ModelConfig model : catalogue.models().values()) {
      double margin = margin(model, catalogue.providerOf(model));
      margins.merge(key(model.provider(), model.model()), margin, Math::max);
      images.merge(key(model.provider(), model.model()), model.imageTokens(), Math::max);
    }
  }

  /** OpenAI's own answering models have the vocabulary that is counted; its embedding models do not. */
  private static double margin(ModelConfig model, ProviderConfig server) {
    if (model.tokenMargin() > 0) {
      return model.tokenMargin();
    }
    boolean counted =
        server.isHostedBy("api.openai.com") && !model.capabilities().embeds();
    return server.dialect() == Dialect.OPENAI && counted ? 1 : margin(server.dialect());
  }

  private static double margin(Dialect dialect) {
    return switch (dialect) {
      case ANTHROPIC -> ANTHROPIC;
      case EXTRACTIVE -> 1; // it quotes, and reads no tokens
      case OPENAI, GEMINI, ONNX -> UNKNOWN;
    };
  }

  /** Of the model that cuts finest of all that may be asked, people's own among them; at least 1. */
  public double of(Plan plan) {
    return plan.candidates().stream()
        .map(Candidate::provider)
        .mapToDouble(this::of)
        .max()
        .orElse(UNKNOWN);
  }

  private double of(ModelProvider model) {
    return margins.getOrDefault(key(model.name(), model.model()), margin(model.dialect()));
  }

  /** Most tokens of one image, of the model that makes most of it. */
  public long ofImage(Plan plan) {
    return plan.candidates().stream()
        .map(Candidate::provider)
        .mapToInt(
            one -> images.getOrDefault(key(one.name(), one.model()), ModelConfig.IMAGE_TOKENS))
        .max()
        .orElse(ModelConfig.IMAGE_TOKENS);
  }

  public double of(EmbeddingModel model) {
    return ofEmbedding(key(model.name(), model.model()));
  }

  /** Of the embedding model named "provider:model". */
  public double ofEmbedding(String model) {
    return margins.getOrDefault(model, UNKNOWN);
  }

  private static String key(String provider, String model) {
    return provider + ":" + model;
  }
}
