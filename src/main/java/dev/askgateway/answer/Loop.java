package dev.askgateway.answer;

import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** An event loop, as the place where something lives. */
record Loop(Context context, Thread thread) {

  /** The loop this is called on. */
  static Loop current(Vertx vertx) {
    return new Loop(vertx.getOrCreateContext(), Thread.currentThread());
  }

  /** Runs the task on this loop: at once when already there. */
  void run(Runnable task) {
    if (Thread.currentThread() == thread) {
      task.run();
    } else {
      later(task);
    }
  }

  /** Runs the task on this loop, after what it does now. */
  void later(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }
}
