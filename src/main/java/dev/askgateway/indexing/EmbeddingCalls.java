package dev.askgateway.indexing;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Embedder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The embedding calls of one version: a bounded number at a time, each filled up to its limits with
 * whatever waits, also of several persons (spec H2).
 *
 * <p>Sharing a call gives nobody anything of another: a part's vectors are those at its own places in
 * the call, a call with a vector too many or too few fails as a whole, and each part is written by its
 * own person's run under that person's row security.
 *
 * <p>A place among the calls is taken until what the call brought has been written, so that a process
 * that dies has embedded no more than one call for each place in vain.
 */
final class EmbeddingCalls {
  /** How long texts wait for others to share a call with. */
  private static final long LINGER_MILLIS = 20;

  /**
   * What a call brought for one part. {@link #written} must be called once it is stored, or will not
   * be; calling it again does nothing.
   */
  record Brought(List<float[]> vectors, Runnable written) {}

  private static final class Part {
    final List<String> texts;
    final Promise<Brought> done = Promise.promise();
    final int tokens;
    final Consumer<EmbeddingUse> used;
    boolean alone;

    Part(List<String> texts, int tokens, boolean alone, Consumer<EmbeddingUse> used) {
      this.texts = texts;
      this.tokens = tokens;
      this.alone = alone;
      this.used = used;
    }
  }

  private final Vertx vertx;
  private final Context loop;
  private final Embedder embedder;
  private final CallLimits limits;
  private final int places;
  private final Deque<Part> waiting = new ArrayDeque<>();
  private int taken;
  private boolean ripe;
  private boolean lingering;

  EmbeddingCalls(Vertx vertx, Context loop, Embedder embedder, IndexingConfig config) {
    this.vertx = vertx;
    this.loop = loop;
    this.embedder = embedder;
    this.limits = CallLimits.of(embedder, config);
    this.places = config.concurrency();
  }

  CallLimits limits() {
    return limits;
  }

  int dimensions() {
    return embedder.dimensions();
  }

  /**
   * Embeds texts that fit into one call, in their order. For any thread; the result comes on the loop.
   *
   * @param alone whether they must not share a call: one of them may be what made another call fail
   * @param used hears, on the loop, of their share of what each of their calls used, also of calls that
   *     failed
   */
  Future<Brought> embed(List<String> texts, boolean alone, Consumer<EmbeddingUse> used) {
    List<String> cut = texts.stream().map(limits::cut).toList();
    Part part = new Part(cut, cut.stream().mapToInt(CallLimits::tokens).sum(), alone, used);
    loop.runOnContext(now -> {
      waiting.add(part);
      fill();
    });
    return part.done.future();
  }

  private void fill() {
    while (taken < places && !waiting.isEmpty() && isDue()) {
      call(next());
      ripe = false;
    }
    if (!waiting.isEmpty() && !ripe && !lingering) {
      lingering = true;
      vertx.setTimer(
          LINGER_MILLIS,
          over -> loop.runOnContext(now -> {
            lingering = false;
            ripe = !waiting.isEmpty();
            fill();
          }));
    }
  }

  /** Whether the next call is full, may have no company, or has waited for some. */
  private boolean isDue() {
    int texts = 0;
    long tokens = 0;
    for (Part part : waiting) {
      texts += part.texts.size();
      tokens += part.tokens;
      if (part.alone || texts >= limits.texts() || tokens >= limits.tokens()) {
        return true;
      }
    }
    return ripe;
  }

  /** The part that waited longest and all that fit beside it; any two such calls are over one full. */
  private List<Part> next() {
    List<Part> parts = new ArrayList<>();
    int texts = 0;
    long tokens = 0;
    for (Iterator<Part> rest = waiting.iterator(); rest.hasNext(); ) {
      Part part = rest.next();
      boolean fits = parts.isEmpty()
          || (!part.alone && limits.hold(texts + part.texts.size(), tokens + part.tokens));
      if (fits) {
        rest.remove();
        parts.add(part);
        texts += part.texts.size();
        tokens += part.tokens;
        if (part.alone) {
          break;
        }
      }
    }
    return parts;
  }

  private void call(List<Part> parts) {
    taken++;
    List<String> texts = parts.stream().flatMap(part -> part.texts.stream()).toList();
    List<EmbeddingUse> uses = new CopyOnWriteArrayList<>(); // told on the model's own thread
    embedder
        .telling(uses::add)
        .passages(texts)
        .map(vectors -> {
          if (vectors.size() != texts.size()) {
            throw new GatewayError(
                GatewayError.Code.PROVIDER_FAILED, "The embedder lost or added a vector.");
          }
          return vectors;
        })
        .onComplete(called -> loop.runOnContext(now -> {
          uses.forEach(use -> split(use, parts));
          if (called.succeeded()) {
            share(parts, called.result());
          } else {
            fail(parts, called.cause());
          }
        }));
  }

  private static void split(EmbeddingUse use, List<Part> parts) {
    List<Integer> weights = parts.stream().map(part -> part.tokens).toList();
    List<Long> shares = Shares.of(use.usage().inputTokens(), weights);
    for (int i = 0; i < parts.size(); i++) {
      if (shares.get(i) > 0) {
        parts.get(i).used.accept(use.of(shares.get(i)));
      }
    }
  }

  private void share(List<Part> parts, List<float[]> vectors) {
    int[] unwritten = {parts.size()};
    int from = 0;
    for (Part part : parts) {
      List<float[]> own = vectors.subList(from, from + part.texts.size());
      from += part.texts.size();
      boolean[] written = {false};
      part.done.complete(new Brought(
          own,
          () -> loop.runOnContext(now -> {
            if (!written[0]) {
              written[0] = true;
              unwritten[0]--;
              release(unwritten[0] == 0);
            }
          })));
    }
  }

  /** A text that spoils a call does so for its own person only: the others are tried again without it. */
  private void fail(List<Part> parts, Throwable failure) {
    if (parts.size() > 1 && Faults.ofText(failure)) {
      for (Part part : parts) {
        part.alone = true;
        waiting.addFirst(part);
      }
    } else {
      parts.forEach(part -> part.done.fail(failure));
    }
    release(true);
  }

  private void release(boolean place) {
    if (place) {
      taken--;
      fill();
    }
  }
}
