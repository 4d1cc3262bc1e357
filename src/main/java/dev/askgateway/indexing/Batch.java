package dev.askgateway.indexing;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.store.IndexRepository.Embedded;
import dev.askgateway.store.IndexRepository.Waiting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Embeds one person's batch: in one call if that works, else one text after the other, so that a bad
 * one costs only itself.
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

  private final EmbeddingCalls calls;
  private final List<Waiting> texts;
  private final Consumer<EmbeddingUse> used;
  private final List<Embedded> embedded = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private Runnable written = () -> {};

  /**
   * @param texts as many as fit into one call
   * @param used hears of this person's part of what each call used
   */
  Batch(EmbeddingCalls calls, List<Waiting> texts, Consumer<EmbeddingUse> used) {
    this.calls = calls;
    this.texts = texts;
    this.used = used;
  }

  /** To be called when what came of the batch is stored, or will not be. */
  void written() {
    written.run();
  }

  /**
   * Embeds the texts.
   *
   * @param suspicious whether this was tried before: then a text may be what makes the provider fail,
   *     and after any failure they are tried one by one
   */
  Future<Result> embed(boolean suspicious) {
    return calls
        .embed(words(texts), suspicious, used)
        .map(brought -> {
          Result result = new Result(paired(texts, brought), List.of(), null);
          written = brought.written();
          return result;
        })
        .recover(failure -> Faults.ofText(failure) || suspicious
            ? oneByOne(0)
            : Future.succeededFuture(new Result(List.of(), List.of(), failure)));
  }

  private Future<Result> oneByOne(int index) {
    if (index == texts.size()) {
      return result();
    }
    List<Waiting> text = texts.subList(index, index + 1);
    return alone(text).transform(done -> {
      if (done.succeeded()) {
        embedded.addAll(done.result());
      } else {
        refused.add(new Refused(text.get(0), done.cause()));
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
    return calls
        .embed(List.of(PROBE), true, used)
        .onSuccess(brought -> brought.written().run())
        .map(works -> new Result(embedded, refused, null))
        .otherwise(outage -> new Result(embedded, refusedOfText(), outage));
  }

  private Future<List<Embedded>> alone(List<Waiting> text) {
    return calls
        .embed(words(text), true, used)
        .onSuccess(brought -> brought.written().run())
        .map(brought -> paired(text, brought));
  }

  private static List<String> words(List<Waiting> some) {
    return some.stream().map(Waiting::text).toList();
  }

  /** Each text with its vector; nothing of what was brought is kept if one of them is broken. */
  private List<Embedded> paired(List<Waiting> some, EmbeddingCalls.Brought brought) {
    var pairs = new ArrayList<Embedded>(some.size());
    for (int i = 0; i < some.size(); i++) {
      Waiting text = some.get(i);
      float[] vector = brought.vectors().get(i);
      if (!isSound(vector)) {
        brought.written().run();
        throw new GatewayError(GatewayError.Code.INTERNAL, "The embedder gave a broken vector.");
      }
      pairs.add(new Embedded(text.messageId(), text.contentHash(), vector));
    }
    return pairs;
  }

  /** A vector that cannot be stored or searched is the fault of its text. */
  private boolean isSound(float[] vector) {
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    return vector.length == calls.dimensions() && squares > 0 && !Double.isInfinite(squares);
  }
}
