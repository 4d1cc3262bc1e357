package dev.askgateway.provider;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.EmbeddingModel.Purpose;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A configured embedding model as the embedder of one version of the index: the model's vectors,
 * brought to length 1.
 *
 * <p>A vector of another length than configured fails the call with {@code NO_PROVIDER}: no text is to
 * blame for it, and only an operator can help.
 *
 * @param profileId the model's name in the configuration
 * @param version see {@link Embedder#version}; 0: of no version yet
 * @param dimensions length of its vectors, as configured
 */
public record ModelEmbedder(
    String profileId, int version, EmbeddingModel calls, int dimensions, Deadlines deadlines)
    implements Embedder {

  /** The same model for that version. */
  public ModelEmbedder ofVersion(int other) {
    return new ModelEmbedder(profileId, other, calls, dimensions, deadlines);
  }

  @Override
  public String model() {
    return calls.name() + ":" + calls.model();
  }

  @Override
  public int mostTexts() {
    return calls.mostTexts();
  }

  @Override
  public int mostTokens() {
    return calls.mostTokens();
  }

  @Override
  public Future<float[]> query(String question) {
    return embed(List.of(question), Purpose.QUERY).map(vectors -> vectors.get(0));
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    return embed(texts, Purpose.DOCUMENT);
  }

  @Override
  public Embedder telling(Consumer<EmbeddingUse> told) {
    return new ModelEmbedder(
        profileId, version, new ToldModel(calls, profileId, told), dimensions, deadlines);
  }

  private Future<List<float[]>> embed(List<String> texts, Purpose purpose) {
    return calls
        .embed(new EmbeddingModel.Request(texts, purpose, null), deadlines)
        .map(embeddings -> {
          List<float[]> unit = new ArrayList<>(texts.size());
          embeddings.vectors().forEach(vector -> unit.add(unit(vector)));
          return unit;
        });
  }

  private float[] unit(float[] vector) {
    if (vector.length != dimensions) {
      throw new GatewayError(
          GatewayError.Code.NO_PROVIDER,
          "The embedding model's vectors have another length than is configured.");
    }
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    float[] unit = new float[vector.length];
    for (int i = 0; i < vector.length; i++) {
      unit[i] = (float) (vector[i] / Math.sqrt(squares));
    }
    return unit;
  }
}
