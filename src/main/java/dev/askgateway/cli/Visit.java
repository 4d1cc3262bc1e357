package dev.askgateway.cli;

import dev.askgateway.config.DatabaseSettings;
import dev.askgateway.store.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletionException;

/** The database for the time of one command. Blocks its thread, which is no event loop. */
final class Visit implements AutoCloseable {
  private final Vertx vertx;
  private final Database database;

  private Visit(Vertx vertx, Database database) {
    this.vertx = vertx;
    this.database = database;
  }

  /** As the gateway's role. */
  static Visit asGateway(DatabaseSettings settings) {
    Vertx vertx = Vertx.vertx();
    return new Visit(vertx, new Database(vertx, settings.store()));
  }

  /** As the owner of the tables, who sees everybody's rows. */
  static Visit asOwner(DatabaseSettings settings) {
    Vertx vertx = Vertx.vertx();
    return new Visit(vertx, Database.ofOwner(vertx, settings.store()));
  }

  Vertx vertx() {
    return vertx;
  }

  Database database() {
    return database;
  }

  <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
