package dev.askgateway.provider.tokens;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts tokens: of short texts at once, of long ones on threads of their own. Never refuses: what
 * cannot be counted in time has its bound. Shared by all event loops.
 */
public final class Counting {
  private static final Logger LOG = LoggerFactory.getLogger(Counting.class);
  private static final String THREAD_NAME = "token-count";
  private static final int THREADS = 2;

  /** Most characters counted on an event loop: under a millisecond whatever they are. */
  static final int MOST_AT_ONCE = 2_048;

  /** Most characters whose bytes are counted on an event loop, at half a million a millisecond. */
  private static final int MOST_WALKED = 256 * 1024;

  /** Most characters that wait or are counted, some seconds' work at the worst. */
  private static final long MOST_WAITING = 16L << 20;

  private final Vertx vertx;
  private final WorkerExecutor workers;
  private final Callable<? extends TokenCounter> source;
  private final long mostWaiting;
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong bounded = new AtomicLong();
  private volatile @Nullable TokenCounter counter;

  /** With the vocabulary of OpenAI's present models, once that is {@linkplain #load loaded}. */
  public static Counting o200k(Vertx vertx) {
    return new Counting(vertx, O200k::load, MOST_WAITING);
  }

  Counting(Vertx vertx, Callable<? extends TokenCounter> source, long mostWaiting) {
    this.vertx = vertx;
    this.workers = vertx.createSharedWorkerExecutor(THREAD_NAME, THREADS, 60, TimeUnit.SECONDS);
    this.source = source;
    this.mostWaiting = mostWaiting;
  }

  /** Loads the vocabulary, not on the caller's thread. Until it is there, and without it, bounds do. */
  public Future<Void> load() {
    return workers
        .executeBlocking(source::call, false)
        .onSuccess(loaded -> counter = loaded)
        .onFailure(failed ->
            LOG.warn("inputs are bounded, not counted: {}", failed.getClass().getName()))
        .mapEmpty();
  }

  /** The tokens of all these texts. Does not fail; for short ones it is complete when it returns. */
  public Future<TokenCount> of(List<String> texts) {
    long chars = texts.stream().mapToLong(String::length).sum();
    return with(chars, counts -> counts.of(texts));
  }

  /** Counts texts, or bounds them: whichever can be done. */
  @FunctionalInterface
  public interface Counts {
    TokenCount of(List<String> texts);
  }

  /**
   * Work that needs the tokens of many pieces, each when it comes to it: done at once on texts that are
   * short together, on a thread of counting on long ones. Fails only as the work does.
   *
   * @param chars how long the texts are together, about
   * @param work may be done twice, and on any thread
   */
  public <T> Future<T> with(long chars, Function<Counts, T> work) {
    TokenCounter loaded = counter;
    if (loaded == null) {
      return bound(chars, work);
    }
    if (chars <= MOST_AT_ONCE) {
      return done(() -> work.apply(texts -> counted(texts, loaded)));
    }
    if (waiting.addAndGet(chars) > mostWaiting) {
      waiting.addAndGet(-chars);
      return bound(chars, work);
    }
    return workers
        .executeBlocking(() -> work.apply(texts -> counted(texts, loaded)), false)
        .onComplete(done -> waiting.addAndGet(-chars))
        .recover(closed -> bound(chars, work));
  }

  private static <T> Future<T> done(Supplier<T> work) {
    try {
      return Future.succeededFuture(work.get());
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private TokenCount counted(List<String> texts, TokenCounter loaded) {
    try {
      return TokenCount.counted(texts, loaded);
    } catch (RuntimeException | StackOverflowError broken) {
      bounded.incrementAndGet();
      LOG.warn("an input was bounded, not counted: {}", broken.getClass().getName());
      return TokenCount.bound(texts);
    }
  }

  private <T> Future<T> bound(long chars, Function<Counts, T> work) {
    bounded.incrementAndGet();
    return chars <= MOST_WALKED
        ? done(() -> work.apply(TokenCount::bound))
        : vertx.executeBlocking(() -> work.apply(TokenCount::bound), false);
  }

  /** Inputs that were bounded because they could not be counted; ever growing. */
  public long bounded() {
    return bounded.get();
  }
}
