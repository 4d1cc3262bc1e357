package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes a turn's events to the shared log, in order and never in the answer's way: one append is
 * under way at a time, what comes meanwhile goes with the next.
 *
 * <p>After a failed append the log of this turn is left alone: a gap would be worse than an early end,
 * which readers fill from the stored turn.
 */
final class LogWriter {
  private final TurnLog log;
  private final UserId user;
  private final UUID turn;
  private final Runnable failed;
  private List<AnswerEvent> pending = new ArrayList<>();
  private boolean busy;
  private boolean broken;

  LogWriter(TurnLog log, UserId user, UUID turn, Runnable failed) {
    this.log = log;
    this.user = user;
    this.turn = turn;
    this.failed = failed;
  }

  /** On the answer's loop. */
  void write(AnswerEvent event) {
    if (!broken) {
      pending.add(event);
      flush();
    }
  }

  private void flush() {
    if (busy || broken || pending.isEmpty()) {
      return;
    }
    List<AnswerEvent> batch = pending;
    pending = new ArrayList<>();
    busy = true;
    log.append(user, turn, batch).onComplete(done -> {
      busy = false;
      if (done.failed()) {
        broken = true;
        pending.clear();
        failed.run();
      }
      flush();
    });
  }
}
