package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class FeedTest {
  /** A sink that can be full, drained and left, and remembers what it got. */
  static class RecordingSink implements AnswerSink {
    final List<AnswerEvent> got = new ArrayList<>();
    boolean full;
    Runnable drained = () -> {};
    Runnable closed = () -> {};

    @Override
    public void write(AnswerEvent event) {
      got.add(event);
    }

    @Override
    public boolean full() {
      return full;
    }

    @Override
    public void drainHandler(Runnable handler) {
      drained = handler;
    }

    @Override
    public void closeHandler(Runnable handler) {
      closed = handler;
    }
  }

  static final class RecordingWatcher implements Feed.Watcher {
    final List<Integer> counts = new ArrayList<>();
    boolean slow;

    @Override
    public void readers(int count) {
      counts.add(count);
    }

    @Override
    public void slow(boolean now) {
      slow = now;
    }
  }

  private static AnswerEvent text(String delta) {
    return new AnswerEvent.Text(delta);
  }

  @Test
  @DisplayName("a reader who comes late gets every event from the first, in order")
  void late(Vertx vertx, VertxTestContext test) {
    vertx.runOnContext(on -> test.verify(() -> {
      Loop loop = Loop.current(vertx);
      Feed feed = new Feed(loop, new RecordingWatcher());
      feed.emit(text("a"));
      RecordingSink early = new RecordingSink();
      feed.subscribe(early, loop);
      feed.emit(text("b"));
      feed.emit(SampleEvents.completed());
      feed.emit(text("after the end"));
      RecordingSink late = new RecordingSink();
      feed.subscribe(late, loop);

      assertThat(early.got).containsExactly(text("a"), text("b"), SampleEvents.completed());
      assertThat(late.got).isEqualTo(early.got);
      test.completeNow();
    }));
  }

  @Test
  @DisplayName("production is held back only while every reader is behind")
  void slowest(Vertx vertx, VertxTestContext test) {
    vertx.runOnContext(on -> test.verify(() -> {
      Loop loop = Loop.current(vertx);
      RecordingWatcher watcher = new RecordingWatcher();
      Feed feed = new Feed(loop, watcher);
      RecordingSink stuck = new RecordingSink();
      stuck.full = true;
      feed.subscribe(stuck, loop);
      feed.emit(text("x".repeat(Feed.LAG_LIMIT + 1)));
      assertThat(watcher.slow).isTrue();

      RecordingSink quick = new RecordingSink();
      feed.subscribe(quick, loop);
      assertThat(watcher.slow).isFalse();

      quick.closed.run();
      vertx.runOnContext(later -> test.verify(() -> {
        assertThat(watcher.slow).isTrue();

        stuck.full = false;
        stuck.drained.run();
        assertThat(watcher.slow).isFalse();
        assertThat(stuck.got).hasSize(1);
        assertThat(watcher.counts).containsExactly(1, 2, 1);
        test.completeNow();
      }));
    }));
  }

  /** A sink whose client is gone, which it says as soon as anybody asks. */
  static final class ClosedSink extends RecordingSink {
    @Override
    public void closeHandler(Runnable handler) {
      handler.run();
    }
  }

  @Test
  @DisplayName("a reader that was gone on arrival is told of as gone, on the same loop and another")
  void goneOnArrival(Vertx vertx, VertxTestContext test) {
    io.vertx.core.Context elsewhere =
        io.vertx.core.internal.VertxInternal.class.cast(vertx).createEventLoopContext();
    vertx.runOnContext(on -> test.verify(() -> {
      RecordingWatcher watcher = new RecordingWatcher();
      Loop home = Loop.current(vertx);
      Feed feed = new Feed(home, watcher);
      feed.subscribe(new ClosedSink(), home);
      elsewhere.runOnContext(there -> {
        feed.subscribe(new ClosedSink(), Loop.current(vertx));
        home.later(() -> test.verify(() -> {
          assertThat(watcher.counts).last().isEqualTo(0);
          assertThat(watcher.counts).contains(1);
          test.completeNow();
        }));
      });
    }));
  }

  @Test
  @DisplayName("a reader that leaves inside a write is told of after the event is with all readers")
  void leavesInsideWrite(Vertx vertx, VertxTestContext test) {
    vertx.runOnContext(on -> test.verify(() -> {
      Loop loop = Loop.current(vertx);
      RecordingSink other = new RecordingSink();
      RecordingWatcher watcher = new RecordingWatcher();
      Feed feed = new Feed(loop, watcher);
      RecordingSink leaving = new RecordingSink() {
        @Override
        public void write(AnswerEvent event) {
          super.write(event);
          closed.run();
        }
      };
      feed.subscribe(leaving, loop);
      feed.subscribe(other, loop);
      feed.emit(text("a"));
      feed.emit(text("b"));

      assertThat(leaving.got).containsExactly(text("a"));
      assertThat(other.got).containsExactly(text("a"), text("b"));
      assertThat(watcher.counts).containsExactly(1, 2);
      vertx.runOnContext(later -> test.verify(() -> {
        assertThat(watcher.counts).containsExactly(1, 2, 1);
        test.completeNow();
      }));
    }));
  }

  @Test
  @DisplayName("one answer has a bounded number of readers, and room again when one leaves")
  void bounded(Vertx vertx, VertxTestContext test) {
    vertx.runOnContext(on -> test.verify(() -> {
      Loop loop = Loop.current(vertx);
      Feed feed = new Feed(loop, new RecordingWatcher());
      RecordingSink first = new RecordingSink();
      assertThat(feed.subscribe(first, loop)).isTrue();
      for (int i = 1; i < Feed.MAX_READERS; i++) {
        assertThat(feed.subscribe(new RecordingSink(), loop)).isTrue();
      }
      assertThat(feed.subscribe(new RecordingSink(), loop)).isFalse();
      first.closed.run();
      vertx.runOnContext(later -> test.verify(() -> {
        assertThat(feed.subscribe(new RecordingSink(), loop)).isTrue();
        test.completeNow();
      }));
    }));
  }

  @Test
  @DisplayName("a reader on another event loop gets the same events on its own")
  void otherLoop(Vertx vertx, VertxTestContext test) {
    Loop[] home = new Loop[1];
    Feed[] feed = new Feed[1];
    vertx.getOrCreateContext().runOnContext(on -> {
      home[0] = Loop.current(vertx);
      feed[0] = new Feed(home[0], new RecordingWatcher());
      for (int i = 0; i < 100; i++) {
        feed[0].emit(text(String.valueOf(i)));
      }
      new Thread(() -> io.vertx.core.internal.VertxInternal.class
              .cast(vertx)
              .createEventLoopContext()
              .runOnContext(elsewhere -> read(vertx, feed[0], home[0], test)))
          .start();
    });
  }

  private static void read(Vertx vertx, Feed feed, Loop home, VertxTestContext test) {
    Loop mine = Loop.current(vertx);
    RecordingSink sink = new RecordingSink() {
      @Override
      public void write(AnswerEvent event) {
        test.verify(() -> assertThat(Thread.currentThread()).isSameAs(mine.thread()));
        super.write(event);
        if (event instanceof AnswerEvent.Ended) {
          test.verify(() -> assertThat(got).hasSize(201));
          test.completeNow();
        }
      }
    };
    feed.subscribe(sink, mine);
    home.run(() -> {
      for (int i = 100; i < 200; i++) {
        feed.emit(text(String.valueOf(i)));
      }
      feed.emit(SampleEvents.completed());
    });
  }
}
