package dev.askgateway.cli;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Function;

/** A gateway together with the Vert.x under it, which ends with it. */
public final class OwnVertx implements Server.Running {
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
        vertx.close().onComplete(closed -> started.fail(begun.cause()));
      }
    });
    return started.future();
  }

  @Override
  public int port() {
    return gateway.port();
  }

  /**
   * Closes the gateway, then the Vert.x. The result is a promise of its own: a future composed on a
   * context of this Vert.x could not tell its end any more, for its event loops are gone then.
   */
  @Override
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    gateway.close().onComplete(drained -> vertx.close().onComplete(gone -> {
      if (drained.succeeded()) {
        closed.handle(gone);
      } else {
        closed.fail(drained.cause());
      }
    }));
    return closed.future();
  }
}
