package dev.askgateway.answer;

import dev.askgateway.core.EventLog;
import dev.askgateway.core.UserId;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes events to the shared log, in order and never in the answer's way: one append is under way at
 * a time, what comes meanwhile goes with the next. On one event loop.
 *
 * <p>A failed append is sent again, the same at the same position, whether it arrived or not. When
 * that goes on for too long this log is left alone: a gap would be worse than an early end, which
 * readers make up for from what is stored. What waits is the answer's own events, so its bound is
 * theirs.
 */
public final class LogWriter<E> {
  private static final long RETRY_MILLIS = 500;
  private static final int TRIES = 20;

  private final Vertx vertx;
  private final Loop home;
  private final EventLog<E> log;
  private final UserId user;
  private final UUID id;
  private final Runnable failed;
  private List<E> pending = new ArrayList<>();
  private List<E> sending = List.of();
  private long position;
  private int failures;
  private boolean busy;

  /** Writes on the calling event loop. */
  public LogWriter(Vertx vertx, EventLog<E> log, UserId user, UUID id) {
    this(vertx, Loop.current(vertx), log, user, id, () -> {});
  }

  /** @param failed called once for each time the log stops taking events */
  LogWriter(Vertx vertx, Loop home, EventLog<E> log, UserId user, UUID id, Runnable failed) {
    this.vertx = vertx;
    this.home = home;
    this.log = log;
    this.user = user;
    this.id = id;
    this.failed = failed;
  }

  /** Goes with the next append. */
  public void write(E event) {
    if (failures < TRIES) {
      pending.add(event);
      flush();
    }
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
    log.append(user, id, position, sending)
        .onComplete(done -> home.run(() -> sent(done.succeeded())));
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
    if (failures == 1) {
      failed.run();
    }
    if (failures < TRIES) {
      vertx.setTimer(RETRY_MILLIS, due -> home.run(this::send));
    } else {
      pending = List.of();
      sending = List.of();
    }
  }
}
