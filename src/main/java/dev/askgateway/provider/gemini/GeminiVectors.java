package dev.askgateway.provider.gemini;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.EmbeddingModel.Embeddings;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the vectors of one call. A batch takes milliseconds: not for an event loop.
 *
 * @param texts what was sent
 * @param dimensions length that every vector must have, or 0 for any that all share
 */
record GeminiVectors(List<String> texts, int dimensions) {

  /** The vectors in the order of the texts; anything else than one good vector each is a failure. */
  Embeddings read(Buffer body) {
    if (!(GeminiErrors.tryParse(body.toString()) instanceof JsonObject response)) {
      throw protocol("not a JSON object");
    }
    Object error = GeminiErrors.errorIn(response);
    if (error != null) {
      throw GeminiErrors.ofStream(error);
    }
    Usage reported = reported(response);
    try {
      return new Embeddings(vectors(response), reported.tokens() == 0 ? estimate() : reported);
    } catch (NoVectors broken) {
      throw ProviderFailure.error(Kind.PROTOCOL, String.valueOf(broken.getMessage()), reported);
    }
  }

  private List<float[]> vectors(JsonObject response) throws NoVectors {
    JsonArray entries = response.containsKey("embedding")
        ? new JsonArray().add(Lenient.object(response, "embedding"))
        : Lenient.array(response, "embeddings");
    if (entries.size() != texts.size()) {
      throw new NoVectors(entries.size() + " vectors for " + texts.size() + " texts");
    }
    List<float[]> vectors = new ArrayList<>();
    int length = dimensions;
    for (Object entry : entries) {
      float[] vector = vector(entry);
      length = length == 0 ? vector.length : length;
      if (vector.length != length) {
        throw new NoVectors("a vector of " + vector.length + " numbers, not " + length);
      }
      vectors.add(vector);
    }
    return vectors;
  }

  /** Why the response has not the vectors it should have. */
  private static final class NoVectors extends Exception {
    private NoVectors(String why) {
      super(why, null, false, false);
    }
  }

  private static float[] vector(Object entry) throws NoVectors {
    JsonArray values =
        entry instanceof JsonObject object ? Lenient.array(object, "values") : new JsonArray();
    float[] vector = new float[values.size()];
    boolean zero = true;
    for (int i = 0; i < vector.length; i++) {
      float value = values.getValue(i) instanceof Number number ? number.floatValue() : Float.NaN;
      if (!Float.isFinite(value)) {
        throw new NoVectors("a vector with something else than a number");
      }
      zero &= value == 0;
      vector[i] = value;
    }
    if (zero) {
      throw new NoVectors("a vector of nothing");
    }
    return vector;
  }

  /** Most models report none. */
  private static Usage reported(JsonObject response) {
    Long tokens = Lenient.number(Lenient.object(response, "usageMetadata"), "promptTokenCount");
    return tokens == null ? Usage.NONE : new Usage(tokens, 0, 0, 0, 0, false);
  }

  private Usage estimate() {
    return Usage.estimate(texts.stream().mapToLong(String::length).sum(), 0);
  }

  private static GatewayError protocol(String detail) {
    return ProviderFailure.error(Kind.PROTOCOL, detail);
  }
}
