package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.UserId;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes a turn's events to the shared log, in order and never in the answer's way: one append is
 * under way at a time, what comes meanwhile goes with the next.
 *
 * <p>A failed append is sent again, the same at the same position, whether it arrived or not. When
 * that goes on for too long the log of this turn is left alone: a gap would be worse than an early
 * end, which readers fill from the stored turn. What waits is the answer's own events, so its bound
 * is theirs.
 */
final class LogWriter {
  private static final long RETRY_MILLIS = 500;
  private static final int TRIES = 20;

  private final Vertx vertx;
  private final Loop home;
  private final TurnLog log;
  private final UserId user;
  private final UUID turn;
  private final Runnable failed;
  private List<AnswerEvent> pending = new ArrayList<>();
  private List<AnswerEvent> sending = List.of();
  private long position;
  private int failures;
  private boolean busy;

  /** @param failed called once for each time the log stops taking events */
  LogWriter(Vertx vertx, Loop home, TurnLog log, UserId user, UUID turn, Runnable failed) {
    this.vertx = vertx;
    this.home = home;
    this.log = log;
    this.user = user;
    this.turn = turn;
    this.failed = failed;
  }

  /** On the answer's loop. */
  void write(AnswerEvent event) {
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
    log.append(user, turn, position, sending)
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
      vertx.setTimer(RETRY_MILLIS, id -> home.run(this::send));
    } else {
      pending = List.of();
      sending = List.of();
    }
  }
}
