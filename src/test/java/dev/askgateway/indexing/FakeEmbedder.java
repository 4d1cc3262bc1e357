package dev.askgateway.indexing;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** Vectors that depend on nothing but the text; each call first passes a gate the test sets. */
final class FakeEmbedder implements Embedder {
  static final int DIMENSIONS = 8;

  /** The texts of each call, in order. */
  final Queue<List<String>> calls = new ConcurrentLinkedQueue<>();

  volatile Function<List<String>, Future<Void>> gate = texts -> Future.succeededFuture();

  static FakeEmbedder open() {
    return new FakeEmbedder();
  }

  /** Fails each call that has a text with this word in it. */
  static Function<List<String>, Future<Void>> refusing(String word, GatewayError.Code code) {
    return texts -> texts.stream().anyMatch(text -> text.contains(word))
        ? Future.failedFuture(new GatewayError(code, "refused"))
        : Future.succeededFuture();
  }

  static float[] vectorOf(String text) {
    var random = new Random(text.hashCode());
    var vector = new float[DIMENSIONS];
    double squares = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = (float) random.nextGaussian();
      squares += vector[i] * vector[i];
    }
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] /= (float) Math.sqrt(squares);
    }
    return vector;
  }

  List<String> texts() {
    return calls.stream().flatMap(List::stream).toList();
  }

  @Override
  public String profileId() {
    return "fake-8";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public String model() {
    return "test:fake";
  }

  @Override
  public int dimensions() {
    return DIMENSIONS;
  }

  @Override
  public Future<float[]> query(String question) {
    return Future.succeededFuture(vectorOf(question));
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    calls.add(List.copyOf(texts));
    return gate.apply(texts)
        .map(passed -> texts.stream().map(FakeEmbedder::vectorOf).toList());
  }
}
