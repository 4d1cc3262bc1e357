package dev.askgateway.provider.onnx;

import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The embedder that needs no key and no network: e5-small-v2 (quantised) in this process, vectors of 384
 * numbers, English first. Texts are cut at 512 tokens. Questions have threads of their own, so that an
 * answer never waits for a backfill.
 *
 * <p>Safe for use from any thread; results arrive on the caller's context. Failures: OVERLOADED when the
 * queue is full, PROVIDER_FAILED when the model fails, INTERRUPTED after the close.
 */
public final class OnnxEmbedder implements Embedder {
  /** The model's id, and the length of its vectors. */
  public static final String MODEL = "e5-small-v2-q";

  public static final int DIMENSIONS = E5Model.DIMENSIONS;

  private final Vertx vertx;
  private final E5Model model;
  private final BoundedWorkers queries;
  private final BoundedWorkers passages;

  private OnnxEmbedder(Vertx vertx, OnnxConfig config, E5Model model) {
    this.vertx = vertx;
    this.model = model;
    this.queries =
        new BoundedWorkers(vertx, "embed-query", config.queryThreads(), config.queryQueue());
    this.passages =
        new BoundedWorkers(vertx, "embed-passage", config.passageThreads(), config.passageQueue());
  }

  /** Loads the model off the event loop (about a second) and fails when its files are not there. */
  public static Future<OnnxEmbedder> load(Vertx vertx, OnnxConfig config) {
    return vertx
        .executeBlocking(E5Model::load, false)
        .map(model -> new OnnxEmbedder(vertx, config, model));
  }

  @Override
  public String profileId() {
    return "e5-384";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public String model() {
    return "onnx:" + MODEL;
  }

  @Override
  public int dimensions() {
    return DIMENSIONS;
  }

  @Override
  public Future<float[]> query(String question) {
    return queries.run(List.of(task("query: ", question))).map(vectors -> vectors.get(0));
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    return passages.run(texts.stream().map(text -> task("passage: ", text)).toList());
  }

  private Callable<float[]> task(String prefix, String text) {
    return () -> model.embed(prefix + text);
  }

  /** Questions that wait or run. */
  public int queryQueueDepth() {
    return queries.depth();
  }

  /** Passage texts that wait or run. */
  public int queueDepth() {
    return passages.depth();
  }

  /** Refuses new texts at once, finishes those it took, then gives the model's memory back. */
  public Future<Void> close() {
    return Future.join(queries.close(), passages.close())
        .eventually(() -> vertx.executeBlocking(
            () -> {
              model.close();
              return null;
            },
            false))
        .mapEmpty();
  }
}
