package dev.askgateway.answer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time an answer goes on that nobody follows any more. When it is over, those who follow on
 * another node are asked for: they keep the answer for as long again. On the answer's loop.
 */
public final class Grace {
  private final Vertx vertx;
  private final Duration length;
  private final Supplier<Future<Boolean>> followedElsewhere;
  private final Runnable lapsed;
  private long timer = -1;
  private int round;

  /** @param length zero: no time at all, and nobody is asked */
  public Grace(
      Vertx vertx, Duration length, Supplier<Future<Boolean>> followedElsewhere, Runnable lapsed) {
    this.vertx = vertx;
    this.length = length;
    this.followedElsewhere = followedElsewhere;
    this.lapsed = lapsed;
  }

  /** Starts the time anew. */
  public void begin() {
    end();
    if (length.toMillis() == 0) {
      lapsed.run();
    } else {
      timer = vertx.setTimer(length.toMillis(), id -> ask());
    }
  }

  /** Somebody is back, or it does not matter any more. */
  public void end() {
    round++;
    if (timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }

  private void ask() {
    timer = -1;
    int mine = round;
    followedElsewhere.get().otherwise(false).onSuccess(followed -> {
      if (mine != round) {
        return;
      }
      if (followed) {
        begin();
      } else {
        lapsed.run();
      }
    });
  }
}
