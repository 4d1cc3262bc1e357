package dev.askgateway.answer.completion;

import dev.askgateway.core.ReplayEvent;
import dev.askgateway.core.ReplayLog;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes what a request is told to the shared log, in order and never in its way: one append is under
 * way at a time, what comes meanwhile goes with the next. A failed append is sent again, the same at
 * the same position; when that goes on for too long the log is left as it is, and whoever sends the
 * request again is told that it is not kept. On one event loop.
 */
final class ReplayWriter {
  /** The longest that is kept; also the bound of what waits here. */
  static final long MOST_BYTES = 4 << 20;

  private static final long RETRY_MILLIS = 500;
  private static final int TRIES = 20;

  private final Vertx vertx;
  private final Context loop;
  private final ReplayLog log;
  private final Caller caller;
  private List<ReplayEvent> pending = new ArrayList<>();
  private List<ReplayEvent> sending = List.of();
  private long bytes;
  private long position;
  private int failures;
  private boolean busy;
  private boolean over;

  ReplayWriter(Vertx vertx, ReplayLog log, Caller caller) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.log = log;
    this.caller = caller;
  }

  void write(ReplayEvent event) {
    if (over) {
      return;
    }
    bytes += event.size();
    boolean tooLong = bytes > MOST_BYTES;
    over = tooLong || event.last();
    pending.add(tooLong ? new ReplayEvent.Cut() : event);
    flush();
  }

  private void flush() {
    if (!busy && !pending.isEmpty()) {
      busy = true;
      sending = pending;
      pending = new ArrayList<>();
      send();
    }
  }

  private void send() {
    log.append(caller.user(), caller.requestId(), position, sending)
        .onComplete(done -> loop.runOnContext(now -> sent(done.succeeded())));
  }

  private void sent(boolean arrived) {
    if (arrived) {
      position += sending.size();
      failures = 0;
      busy = false;
      flush();
      return;
    }
    failures++;
    if (failures < TRIES) {
      vertx.setTimer(RETRY_MILLIS, due -> send());
    } else {
      over = true;
      pending = List.of();
      sending = List.of();
    }
  }
}
