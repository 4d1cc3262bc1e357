package dev.askgateway.provider;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Rule;
import dev.askgateway.provider.EmbeddingModel.Purpose;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An embedding profile served by somebody else's model: its vectors are checked and brought to length
 * 1, as models cut to fewer dimensions give them in any length. Batches go one after another, in what
 * time the deadlines give each.
 */
public final class RemoteEmbedder implements Embedder {
  private final EmbeddingModel model;
  private final VectorProfile profile;
  private final Deadlines deadlines;

  /**
   * What vectors are stored under.
   *
   * @param id the embedding profile ("gemini-768")
   * @param version raised when the same text would get another vector
   * @param dimensions length of every vector
   * @param asksDimensions whether the model is told that length; many know one only and refuse that
   */
  public record VectorProfile(String id, int version, int dimensions, boolean asksDimensions) {
    public VectorProfile {
      Rule.require(
          id.matches("[a-z0-9][a-z0-9._-]{0,63}"),
          "embedding.profile",
          '"' + id + '"',
          "lower-case letters, digits and . _ -, at most 64");
      Rule.range("embedding." + id + ".version", version, 1, 1_000_000);
      Rule.range("embedding." + id + ".dimensions", dimensions, 1, 65_536);
    }
  }

  public RemoteEmbedder(EmbeddingModel model, VectorProfile profile, Deadlines deadlines) {
    this.model = model;
    this.profile = profile;
    this.deadlines = deadlines;
  }

  @Override
  public String profileId() {
    return profile.id();
  }

  @Override
  public int version() {
    return profile.version();
  }

  @Override
  public String model() {
    return model.name() + ":" + model.model();
  }

  @Override
  public int dimensions() {
    return profile.dimensions();
  }

  @Override
  public Future<float[]> query(String question) {
    return batch(List.of(question), Purpose.QUERY).map(vectors -> vectors.get(0));
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    return from(0, List.copyOf(texts), new ArrayList<>());
  }

  private Future<List<float[]>> from(int start, List<String> texts, List<float[]> vectors) {
    if (start >= texts.size()) {
      return Future.succeededFuture(List.copyOf(vectors));
    }
    int end = Math.min(texts.size(), start + model.mostTexts());
    return batch(texts.subList(start, end), Purpose.DOCUMENT).compose(batch -> {
      vectors.addAll(batch);
      return from(end, texts, vectors);
    });
  }

  private Future<List<float[]>> batch(List<String> texts, Purpose purpose) {
    @Nullable Integer asked = profile.asksDimensions() ? profile.dimensions() : null;
    return model
        .embed(new EmbeddingModel.Request(texts, purpose, asked), deadlines)
        .map(embeddings -> {
          List<float[]> vectors = embeddings.vectors();
          if (vectors.size() != texts.size()) {
            throw protocol(vectors.size() + " vectors for " + texts.size() + " texts");
          }
          return vectors.stream().map(this::unit).toList();
        });
  }

  /** The vector at length 1. One of no length or no number has no direction to keep. */
  private float[] unit(float[] vector) {
    if (vector.length != profile.dimensions()) {
      throw protocol("a vector of " + vector.length + " numbers, not " + profile.dimensions());
    }
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    double length = Math.sqrt(squares);
    if (!(length > 0) || Double.isInfinite(length)) {
      throw protocol("a vector without a direction");
    }
    float[] unit = new float[vector.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (vector[i] / length);
    }
    return unit;
  }

  private static GatewayError protocol(String detail) {
    return ProviderFailure.error(Kind.PROTOCOL, detail);
  }
}
