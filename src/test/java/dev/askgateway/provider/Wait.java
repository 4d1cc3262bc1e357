package dev.askgateway.provider;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Bridges test threads and event loops: waits for a future, never for a time. */
public final class Wait {
  private Wait() {}

  /** The future's result; its failure is thrown as it is. */
  public static <T> T on(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException | TimeoutException late) {
      throw new AssertionError("nothing came in 20 s", late);
    }
  }

  /** Runs on an event loop and waits for what comes of it. */
  public static <T> T onLoop(Vertx vertx, Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    vertx.getOrCreateContext().runOnContext(now -> {
      try {
        work.get().onComplete(done);
      } catch (RuntimeException broken) {
        done.fail(broken);
      }
    });
    return on(done.future());
  }
}
