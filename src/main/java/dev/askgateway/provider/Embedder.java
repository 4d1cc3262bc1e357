package dev.askgateway.provider;

import dev.askgateway.core.EmbeddingUse;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/**
 * Turns text into vectors of one profile. Vectors of different profiles or versions never mix.
 *
 * <p>All vectors have {@link #dimensions()} numbers, length 1 and no NaN.
 */
public interface Embedder {

  /** The embedding profile, stored with each vector: the model's name in the configuration ("e5-384"). */
  String profileId();

  /** Which of the profile's indexes its vectors belong to, from 1. */
  int version();

  /** Provider and model, "onnx:e5-small-v2-q". */
  String model();

  int dimensions();

  /** The vector of a question. */
  Future<float[]> query(String question);

  /** Most passages of one call. */
  default int mostTexts() {
    return Integer.MAX_VALUE;
  }

  /** Most tokens of all passages of one call. */
  default int mostTokens() {
    return Integer.MAX_VALUE;
  }

  /** The vectors of passages, in their order. */
  Future<List<float[]>> passages(List<String> texts);

  /** The same, telling what each of its calls used before the call's vectors; none of what uses nothing. */
  default Embedder telling(Consumer<EmbeddingUse> told) {
    return this;
  }
}
