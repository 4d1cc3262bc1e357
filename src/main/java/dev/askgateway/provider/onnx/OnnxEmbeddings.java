package dev.askgateway.provider.onnx;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The model in this process, asked like one over the network.
 *
 * @param name the provider's configured name
 */
public record OnnxEmbeddings(String name, OnnxLoader loader) implements EmbeddingModel {
  private static final int MOST_TEXTS = 64;

  @Override
  public String model() {
    return OnnxEmbedder.MODEL;
  }

  @Override
  public Dialect dialect() {
    return Dialect.ONNX;
  }

  @Override
  public int mostTexts() {
    return MOST_TEXTS;
  }

  @Override
  public Future<Embeddings> embed(Request request, Deadlines deadlines) {
    Integer wanted = request.dimensions();
    if (wanted != null && wanted != OnnxEmbedder.DIMENSIONS) {
      return Future.failedFuture(GatewayError.invalid(
          "dimensions", "This model's vectors have " + OnnxEmbedder.DIMENSIONS + " numbers."));
    }
    int chars = request.texts().stream().mapToInt(String::length).sum();
    return loader
        .get()
        .compose(embedder -> rest(embedder, request, new ArrayList<>()))
        .timeout(deadlines.total().toMillis(), TimeUnit.MILLISECONDS)
        .map(vectors -> new Embeddings(vectors, Usage.estimate(chars, 0)))
        .recover(failure -> Future.failedFuture(
            failure instanceof TimeoutException
                ? ProviderFailure.error(Kind.TIMEOUT, "the total")
                : failure));
  }

  /** Embeds what has no vector yet, one bounded part after the other. */
  private static Future<List<float[]>> rest(
      OnnxEmbedder embedder, Request request, List<float[]> done) {
    int from = done.size();
    if (from == request.texts().size()) {
      return Future.succeededFuture(done);
    }
    List<String> part = request
        .texts()
        .subList(from, Math.min(from + MOST_TEXTS, request.texts().size()));
    return part(embedder, request.purpose(), part).compose(vectors -> {
      done.addAll(vectors);
      return rest(embedder, request, done);
    });
  }

  private static Future<List<float[]>> part(
      OnnxEmbedder embedder, Purpose purpose, List<String> texts) {
    if (purpose == Purpose.DOCUMENT) {
      return embedder.passages(texts);
    }
    List<Future<float[]>> running = texts.stream().map(embedder::query).toList();
    return Future.all(running).map(all -> running.stream().map(Future::result).toList());
  }
}
