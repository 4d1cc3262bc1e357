package dev.askgateway.provider.check;

import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.EmbeddingModel.Embeddings;
import dev.askgateway.provider.EmbeddingModel.Purpose;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a model's vectors have the length its record claims: by themselves, or when asked for it,
 * since some models cut theirs.
 */
final class EmbeddingCheck {
  private static final List<String> TEXTS =
      List.of("The train leaves at nine.", "A cat sleeps on the sofa.");

  private final EmbeddingModel embedder;
  private final int claimed;
  private final Deadlines deadlines;
  private final long startNanos = System.nanoTime();

  EmbeddingCheck(EmbeddingModel embedder, int claimed, Deadlines deadlines) {
    this.embedder = embedder;
    this.claimed = claimed;
    this.deadlines = deadlines;
  }

  Future<Result> run() {
    if (claimed == 0) {
      return Future.succeededFuture(Result.skipped(Verdicts.DIMENSIONS, "makes no vectors"));
    }
    return embed(null)
        .compose(own -> lengths(own) > claimed ? embed(claimed) : Future.succeededFuture(own))
        .map(this::judged)
        .otherwise(
            failure -> Result.failed(Verdicts.DIMENSIONS, Verdicts.said(failure), sinceStart()));
  }

  private Future<Embeddings> embed(@Nullable Integer dimensions) {
    try {
      return embedder
          .embed(new EmbeddingModel.Request(TEXTS, Purpose.DOCUMENT, dimensions), deadlines)
          .timeout(deadlines.total().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private Result judged(Embeddings embeddings) {
    String fault = "";
    if (embeddings.vectors().size() != TEXTS.size()) {
      fault = embeddings.vectors().size() + " vectors for " + TEXTS.size() + " texts";
    } else if (lengths(embeddings) != claimed) {
      fault = "length " + lengths(embeddings) + " instead of " + claimed;
    } else if (!embeddings.vectors().stream().allMatch(EmbeddingCheck::usable)) {
      fault = "a vector that is zero or not finite";
    }
    return fault.isEmpty()
        ? Result.passed(Verdicts.DIMENSIONS, "length " + claimed, sinceStart())
        : Result.failed(Verdicts.DIMENSIONS, fault, sinceStart());
  }

  /** The length of all vectors, -1 when they differ or there are none. */
  private static int lengths(Embeddings embeddings) {
    List<Integer> lengths =
        embeddings.vectors().stream().map(vector -> vector.length).distinct().toList();
    return lengths.size() == 1 ? lengths.get(0) : -1;
  }

  private static boolean usable(float[] vector) {
    double length = 0;
    for (float value : vector) {
      length += (double) value * value;
    }
    return length > 0 && Double.isFinite(length);
  }

  private long sinceStart() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }
}
