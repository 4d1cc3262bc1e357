package dev.askgateway.retrieval;

import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;

/** Text by hashed words: the same words are near, other words are far. Can be told to fail or to hang. */
public final class BagOfWords implements Embedder {
  private static final int DIMENSIONS = 384;
  Future<float[]> instead = Future.failedFuture("unset");
  boolean broken;

  @Override
  public String profileId() {
    return "test";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public String model() {
    return "test:words";
  }

  @Override
  public int dimensions() {
    return DIMENSIONS;
  }

  @Override
  public Future<float[]> query(String question) {
    return broken ? instead : Future.succeededFuture(of(question));
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    return Future.succeededFuture(texts.stream().map(BagOfWords::of).toList());
  }

  public static float[] of(String text) {
    float[] vector = new float[DIMENSIONS];
    vector[0] = 0.001f;
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1)) {
      if (!word.isEmpty()) {
        vector[1 + Math.floorMod(word.hashCode(), DIMENSIONS - 1)] += 1;
      }
    }
    double norm = 0;
    for (float value : vector) {
      norm += value * value;
    }
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] /= (float) Math.sqrt(norm);
    }
    return vector;
  }
}
