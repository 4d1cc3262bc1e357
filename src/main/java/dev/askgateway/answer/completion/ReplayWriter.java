package dev.askgateway.answer.completion;

import dev.askgateway.answer.LogWriter;
import dev.askgateway.core.ReplayEvent;

/**
 * Writes what a request is told to the shared log, up to a length: of a longer answer whoever sends the
 * request again is told that it is not kept. On one event loop.
 */
final class ReplayWriter {
  /** The longest that is kept; also the bound of what waits here. */
  static final long MOST_BYTES = 4 << 20;

  private final LogWriter<ReplayEvent> log;
  private long bytes;
  private boolean over;

  ReplayWriter(LogWriter<ReplayEvent> log) {
    this.log = log;
  }

  void write(ReplayEvent event) {
    if (over) {
      return;
    }
    bytes += event.size();
    boolean tooLong = bytes > MOST_BYTES;
    over = tooLong || event.last();
    log.write(tooLong ? new ReplayEvent.Cut() : event);
  }
}
