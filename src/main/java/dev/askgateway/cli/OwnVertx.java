package dev.askgateway.cli;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A gateway together with the Vert.x under it, which ends with it. */
public final class OwnVertx implements Server.Running {
  private static final long LONGEST_END_SECONDS = 2;

  private final Vertx vertx;
  private final Server.Running gateway;

  private OwnVertx(Vertx vertx, Server.Running gateway) {
    this.vertx = vertx;
    this.gateway = gateway;
  }

  /** Starts a gateway on a Vert.x that from now on belongs to it: a failed start closes it too. */
  public static Future<Server.Running> start(
      Vertx vertx, Function<Vertx, ? extends Future<? extends Server.Running>> start) {
    Promise<Server.Running> started = Promise.promise();
    start.apply(vertx).onComplete(begun -> {
      if (begun.succeeded()) {
        started.complete(new OwnVertx(vertx, begun.result()));
      } else {
        end(vertx).whenComplete((closed, failure) -> started.fail(begun.cause()));
      }
    });
    return started.future();
  }

  @Override
  public int port() {
    return gateway.port();
  }

  @Override
  public int managementPort() {
    return gateway.managementPort();
  }

  /**
   * Closes the gateway, then the Vert.x. The result is a promise of its own: a future composed on a
   * context of this Vert.x could not tell its end any more, for its event loops are gone then.
   */
  @Override
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    gateway.close().onComplete(drained -> end(vertx).whenComplete((gone, failure) -> {
      if (drained.failed()) {
        closed.fail(drained.cause());
      } else if (failure != null) {
        closed.fail(failure);
      } else {
        closed.complete();
      }
    }));
    return closed.future();
  }

  /** A server that takes a connection and then says nothing would hold the end up: not for long. */
  static CompletableFuture<Void> end(Vertx vertx) {
    return vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(LONGEST_END_SECONDS, TimeUnit.SECONDS);
  }
}
