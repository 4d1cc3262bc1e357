package dev.askgateway.provider.chaos.fuzz;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;

/** A clock that stands still: no timer fires, and one that is forgotten is seen. */
final class Timers {
  private final Map<Long, Handler<Long>> pending = new LinkedHashMap<>();
  private final Vertx vertx = StandIn.as(Vertx.class, this);
  private long last;

  Vertx asVertx() {
    return vertx;
  }

  int pending() {
    return pending.size();
  }

  long setTimer(long millis, Handler<Long> handler) {
    pending.put(++last, handler);
    return last;
  }

  /** The gate's own look at the loop goes on for ever and belongs to no stream. */
  long setPeriodic(long millis, Handler<Long> handler) {
    return -1;
  }

  boolean cancelTimer(long id) {
    return pending.remove(id) != null;
  }
}
