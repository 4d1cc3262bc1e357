package dev.askgateway.indexing;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Embedder;
import dev.askgateway.store.IndexRepository.Embedded;
import dev.askgateway.store.IndexRepository.Waiting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Embeds a batch: in one call if that works, else one text after the other, so that a bad one costs
 * only itself.
 */
final class Batch {

  /** A text and why it has no vector. */
  record Refused(Waiting text, Throwable cause) {}

  /**
   * What came of a batch.
   *
   * @param outage set when the embedder failed and no text is to blame: what is in neither list waits
   */
  record Result(
      List<Embedded> embedded,
      List<Refused> refused,
      @Nullable Throwable outage) {}

  /** One call after the other failing for reasons of the provider's: not worth the rest. */
  private static final int OUTAGE_AFTER = 3;

  private static final String PROBE = "Hello";

  private final Embedder embedder;
  private final List<Waiting> texts;
  private final List<Embedded> embedded = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();

  Batch(Embedder embedder, List<Waiting> texts) {
    this.embedder = embedder;
    this.texts = texts;
  }

  /**
   * Embeds the texts.
   *
   * @param suspicious whether this was tried before: then a text may be what makes the provider fail,
   *     and after any failure they are tried one by one
   */
  Future<Result> embed(boolean suspicious) {
    return call(texts)
        .map(vectors -> new Result(vectors, List.of(), null))
        .recover(failure -> Faults.ofText(failure) || suspicious
            ? oneByOne(0)
            : Future.succeededFuture(new Result(List.of(), List.of(), failure)));
  }

  private Future<Result> oneByOne(int index) {
    if (index == texts.size()) {
      return result();
    }
    Waiting text = texts.get(index);
    return call(List.of(text)).transform(done -> {
      if (done.succeeded()) {
        embedded.addAll(done.result());
      } else {
        refused.add(new Refused(text, done.cause()));
        if (embedded.isEmpty()
            && refused.size() >= OUTAGE_AFTER
            && refusedOfText().isEmpty()) {
          return result();
        }
      }
      return oneByOne(index + 1);
    });
  }

  private List<Refused> refusedOfText() {
    return refused.stream().filter(one -> Faults.ofText(one.cause())).toList();
  }

  /** A provider's failure is blamed on a text only if the provider serves another one right after it. */
  private Future<Result> result() {
    if (refusedOfText().size() == refused.size()) {
      return Future.succeededFuture(new Result(embedded, refused, null));
    }
    return embedder
        .passages(List.of(PROBE))
        .map(works -> new Result(embedded, refused, null))
        .otherwise(outage -> new Result(embedded, refusedOfText(), outage));
  }

  private Future<List<Embedded>> call(List<Waiting> some) {
    return embedder.passages(some.stream().map(Waiting::text).toList()).map(vectors -> {
      if (vectors.size() != some.size()) {
        throw new GatewayError(
            GatewayError.Code.PROVIDER_FAILED, "The embedder lost or added a vector.");
      }
      var pairs = new ArrayList<Embedded>(some.size());
      for (int i = 0; i < some.size(); i++) {
        Waiting text = some.get(i);
        pairs.add(new Embedded(text.messageId(), text.contentHash(), checked(vectors.get(i))));
      }
      return pairs;
    });
  }

  /** A vector that cannot be stored or searched is the fault of its text. */
  private float[] checked(float[] vector) {
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    if (vector.length != embedder.dimensions() || !(squares > 0) || Double.isInfinite(squares)) {
      throw new GatewayError(GatewayError.Code.INTERNAL, "The embedder gave a broken vector.");
    }
    return vector;
  }
}
