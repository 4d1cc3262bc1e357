package dev.askgateway.load.stream;

import java.util.function.LongSupplier;

/**
 * What a stream told, and when. Written by the one thread that reads at a time, and by others only read
 * when the stream is over. Times are milliseconds since the epoch, 0 for what did not come.
 */
public final class Told {
  private final LongSupplier clock;
  private final long start;
  private final StringBuilder text = new StringBuilder();
  private String threadId = "";
  private String state = "";
  private String error = "";
  private long retrievingAt;
  private long firstTextAt;
  private long endAt;
  private int deltas;
  private boolean marked;
  private boolean left;

  Told(LongSupplier clock) {
    this.clock = clock;
    this.start = clock.getAsLong();
  }

  void thread(String id) {
    threadId = id;
  }

  void phase(String phase) {
    if (phase.equals("retrieving")) {
      retrievingAt = clock.getAsLong();
    }
  }

  void text(String delta) {
    if (deltas++ == 0) {
      firstTextAt = clock.getAsLong();
    }
    text.append(delta);
  }

  void failed(String code) {
    error = code;
  }

  void ended(String how) {
    state = how;
  }

  /** The mark that nothing follows. */
  void marked() {
    marked = true;
  }

  void leave() {
    left = true;
    over();
  }

  void over() {
    endAt = clock.getAsLong();
  }

  int deltas() {
    return deltas;
  }

  public String threadId() {
    return threadId;
  }

  public String text() {
    return text.toString();
  }

  public long start() {
    return start;
  }

  long retrievingAt() {
    return retrievingAt;
  }

  long firstTextAt() {
    return firstTextAt;
  }

  /** When it ended, or was left. */
  public long endAt() {
    return endAt;
  }

  /** Whether the reader left before the end. */
  public boolean left() {
    return left;
  }

  /** How it ended: {@code completed}, {@code cancelled}, {@code failed}; empty if it never said. */
  public String state() {
    return state;
  }

  /** What is wrong with it as a whole answer; empty: nothing. */
  public String fault() {
    if (!error.isEmpty()) {
      return error;
    }
    if (!marked) {
      return "the stream was cut";
    }
    if (!state.equals("completed")) {
      return "ended as " + (state.isEmpty() ? "nothing" : state);
    }
    return text.isEmpty() ? "no text" : "";
  }
}
