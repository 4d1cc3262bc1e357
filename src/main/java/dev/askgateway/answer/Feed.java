package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The events of one answer for any number of readers: each gets all of them from the first, at its
 * own pace, on its own event loop. Lives on one loop; its memory is the answer's own bounded size.
 */
final class Feed {
  /** How far, in characters of text, a reader may fall behind before it counts as slow. */
  static final int LAG_LIMIT = 64 * 1024;

  /** Readers of one answer at a time: one person's devices and retries, not a broadcast. */
  static final int MAX_READERS = 128;

  private final Loop home;
  private final Watcher watcher;
  private final List<AnswerEvent> events = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private final AtomicInteger present = new AtomicInteger();
  private boolean ended;

  /** What the owner of a feed hears of its readers, on the feed's loop. */
  interface Watcher {
    /** Readers came or went; not called for the end itself, and never while an event is emitted. */
    void readers(int count);

    /** Whether every reader there is lags behind, so that more should not be produced. */
    void slow(boolean slow);
  }

  Feed(Loop home, Watcher watcher) {
    this.home = home;
    this.watcher = watcher;
  }

  /** On the feed's loop. Nothing comes after the end. */
  void emit(AnswerEvent event) {
    if (ended) {
      return;
    }
    ended = event instanceof AnswerEvent.Ended;
    events.add(event);
    List<AnswerEvent> news = List.of(event);
    for (Reader reader : List.copyOf(readers)) {
      reader.loop.run(() -> reader.offer(news));
    }
  }

  boolean ended() {
    return ended;
  }

  /**
   * From any loop: the sink lives on {@code loop}, which is the caller's.
   *
   * @return false when there are too many readers already; the sink is then left alone
   */
  boolean subscribe(AnswerSink sink, Loop loop) {
    if (present.incrementAndGet() > MAX_READERS) {
      present.decrementAndGet();
      return false;
    }
    Reader reader = new Reader(sink, loop);
    loop.run(reader::watch);
    home.run(() -> {
      List<AnswerEvent> replay = List.copyOf(events);
      if (!ended) {
        if (!reader.left) { // a sink that was closed on arrival may have been told before this
          readers.add(reader);
        }
        watcher.readers(readers.size());
        judge();
      }
      loop.run(() -> reader.offer(replay));
    });
    return true;
  }

  private void left(Reader reader) {
    if (reader.left) {
      return;
    }
    reader.left = true;
    present.decrementAndGet();
    if (readers.remove(reader) && !ended) {
      watcher.readers(readers.size());
      judge();
    }
  }

  private void judge() {
    watcher.slow(!readers.isEmpty() && readers.stream().allMatch(reader -> reader.slow));
  }

  /** One sink, on its own loop; {@code slow} and {@code left} alone belong to the feed's loop. */
  private final class Reader {
    private final AnswerSink sink;
    private final Loop loop;
    private final ArrayDeque<AnswerEvent> pending = new ArrayDeque<>();
    private int lag;
    private boolean reportedSlow;
    private boolean gone;
    private boolean slow;
    private boolean left;

    Reader(AnswerSink sink, Loop loop) {
      this.sink = sink;
      this.loop = loop;
    }

    /** A sink may close in the middle of a write: its leaving waits until the event is with all. */
    void watch() {
      sink.drainHandler(this::pump);
      sink.closeHandler(() -> {
        gone = true;
        pending.clear();
        home.later(() -> left(this));
      });
    }

    void offer(List<AnswerEvent> news) {
      if (gone) {
        return;
      }
      pending.addAll(news);
      news.forEach(event -> lag += size(event));
      pump();
    }

    private void pump() {
      while (!gone && !pending.isEmpty() && !sink.full()) {
        AnswerEvent event = pending.remove();
        lag -= size(event);
        sink.write(event);
      }
      boolean now = lag > LAG_LIMIT;
      if (now != reportedSlow) {
        reportedSlow = now;
        home.run(() -> {
          slow = now;
          judge();
        });
      }
    }

    private static int size(AnswerEvent event) {
      return event instanceof AnswerEvent.Text text ? text.delta().length() : 0;
    }
  }
}
