package dev.askgateway.budget;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the configured book into the database and reads all books there each minute, so that all nodes
 * know a book before its first day and go over to it at the same midnight. While the database does not
 * answer, what is known stays.
 */
public final class PriceWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PriceWatch.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final PriceShelf shelf;
  private final PriceBooks books;
  private volatile boolean registered;
  private volatile boolean looking;
  private volatile boolean away;
  private volatile long timer = -1;

  public PriceWatch(Vertx vertx, PriceShelf shelf, PriceBooks books) {
    this.vertx = vertx;
    this.shelf = shelf;
    this.books = books;
  }

  /**
   * Fails only when the configured book is one that cannot be: its id and day are in use with other
   * prices. A schema that is yet to be migrated is waited for.
   */
  public Future<Void> start() {
    timer = vertx.setPeriodic(EVERY.toMillis(), tick -> again());
    return look().recover(failure -> {
      if (failure instanceof GatewayError error
          && error.code() == GatewayError.Code.REQUEST_CONFLICT) {
        return Future.failedFuture(failure);
      }
      told(failure);
      return Future.succeededFuture();
    });
  }

  public void stop() {
    vertx.cancelTimer(timer);
  }

  private void again() {
    if (looking) {
      return;
    }
    looking = true;
    look().onComplete(read -> {
      looking = false;
      if (read.failed()) {
        told(read.cause());
      } else {
        away = false;
      }
    });
  }

  private void told(Throwable failure) {
    if (!away) {
      away = true;
      LOG.warn(
          "price books not read, those known stay: {}",
          failure instanceof GatewayError error
              ? error.code()
              : failure.getClass().getName());
    }
  }

  /** Reads all books once. */
  Future<Void> look() {
    Future<Void> there = registered
        ? Future.succeededFuture()
        : shelf.add(books.configured()).onSuccess(added -> registered = true).mapEmpty();
    return there
        .compose(done -> shelf.all())
        .onSuccess(placed -> {
          PriceBook before = books.current();
          books.replace(placed.stream().map(PriceShelf.Placed::book).toList());
          PriceBook now = books.current();
          if (!now.equals(before)) {
            LOG.info("prices in force: {}", now.version());
          }
        })
        .mapEmpty();
  }
}
