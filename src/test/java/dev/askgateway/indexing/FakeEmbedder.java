package dev.askgateway.indexing;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** Vectors that depend on nothing but the text; each call first passes a gate the test sets. */
final class FakeEmbedder implements Embedder {
  static final int DIMENSIONS = 8;

  /** The texts of each call, in order. */
  final Queue<List<String>> calls = new ConcurrentLinkedQueue<>();

  volatile Function<List<String>, Future<Void>> gate = texts -> Future.succeededFuture();

  /** Tokens that each call uses, also one that fails. */
  volatile long tokens;

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
  public Embedder telling(Consumer<EmbeddingUse> told) {
    return new Telling(this, told);
  }

  private record Telling(FakeEmbedder embedder, Consumer<EmbeddingUse> told) implements Embedder {
    @Override
    public Future<List<float[]>> passages(List<String> texts) {
      return embedder.passages(texts).onComplete(done -> {
        if (embedder.tokens > 0) {
          Usage usage = new Usage(embedder.tokens, 0, 0, 0, 0, false);
          told.accept(new EmbeddingUse(profileId(), "test", "fake", usage, Duration.ZERO));
        }
      });
    }

    @Override
    public String profileId() {
      return embedder.profileId();
    }

    @Override
    public int version() {
      return embedder.version();
    }

    @Override
    public String model() {
      return embedder.model();
    }

    @Override
    public int dimensions() {
      return embedder.dimensions();
    }

    @Override
    public Future<float[]> query(String question) {
      return embedder.query(question);
    }
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
