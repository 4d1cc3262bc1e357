package dev.askgateway.retrieval.route;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Reads texts by rules, which takes up to .2 ms for each 50 characters: a short question where it is asked,
 * more on a worker, so that no event loop is held. What comes of it is told where it was asked for.
 */
public final class TextWork {
  /** Longer texts are read on a worker: these take most of a millisecond. */
  public static final int MOST_CHARS_ON_THE_LOOP = 200;

  private final Vertx vertx;

  public TextWork(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Does the work here or on a worker.
   *
   * @param chars how many characters it reads
   */
  public <T> Future<T> of(int chars, Supplier<T> work) {
    return chars <= MOST_CHARS_ON_THE_LOOP
        ? Future.succeededFuture(work.get())
        : vertx.executeBlocking(work::get, false);
  }
}
