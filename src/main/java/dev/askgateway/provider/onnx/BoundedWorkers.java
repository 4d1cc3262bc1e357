package dev.askgateway.provider.onnx;

import dev.askgateway.core.GatewayError;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Worker threads with a name, and a queue that refuses what is over its limit. */
final class BoundedWorkers {
  private final WorkerExecutor workers;
  private final int limit;
  private final AtomicInteger depth = new AtomicInteger();
  private final Promise<Void> idle = Promise.promise();
  private volatile boolean closing;

  BoundedWorkers(Vertx vertx, String name, int threads, int limit) {
    this.workers = vertx.createSharedWorkerExecutor(name, threads, 30, TimeUnit.SECONDS);
    this.limit = limit;
  }

  /** Tasks that wait or run. */
  int depth() {
    return depth.get();
  }

  /**
   * Runs the tasks, several at once if there are threads; all are taken, or none.
   *
   * @return the results in the tasks' order; OVERLOADED when they do not fit beside what waits,
   *     PAYLOAD_TOO_LARGE when they never could, INTERRUPTED after the close
   */
  <T> Future<List<T>> run(List<Callable<T>> tasks) {
    if (tasks.size() > limit) {
      return refused(GatewayError.Code.PAYLOAD_TOO_LARGE, "More texts than the queue holds.");
    }
    int before = depth.getAndUpdate(n -> n + tasks.size() > limit ? n : n + tasks.size());
    if (before + tasks.size() > limit) {
      return refused(GatewayError.Code.OVERLOADED, "Too many texts wait for the embedding model.");
    }
    // Asked after the count went up: either the close sees the count, or this sees the close.
    if (closing) {
      release(tasks.size());
      return refused(GatewayError.Code.INTERRUPTED, "The embedding model is closed.");
    }
    List<Future<T>> running =
        tasks.stream().map(task -> workers.executeBlocking(task, false)).toList();
    running.forEach(task -> task.onComplete(done -> release(1)));
    return Future.all(running).map(all -> running.stream().map(Future::result).toList());
  }

  private static <T> Future<T> refused(GatewayError.Code code, String message) {
    return Future.failedFuture(new GatewayError(code, message));
  }

  private void release(int tasks) {
    if (depth.addAndGet(-tasks) == 0 && closing) {
      idle.tryComplete();
    }
  }

  /** Takes nothing more, lets run what was taken, and then ends the threads. */
  Future<Void> close() {
    closing = true;
    if (depth.get() == 0) {
      idle.tryComplete();
    }
    return idle.future().compose(ok -> workers.close());
  }
}
