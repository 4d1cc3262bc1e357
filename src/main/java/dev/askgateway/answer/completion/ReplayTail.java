package dev.askgateway.answer.completion;

import dev.askgateway.core.EventLog;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.ReplayEvent;
import dev.askgateway.store.TurnRepository.Used;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a request again that was sent before: reads the shared log from its first event and follows it
 * to its end, whichever node writes it. Where the log is silent the stored request says how things
 * are. Never calls a model. On one event loop.
 */
final class ReplayTail {
  private static final long BUSY_MILLIS = 25;
  private static final long QUIET_MILLIS = 100;
  private static final long FAILED_MILLIS = 250;

  /** Quiet reads between two looks at the stored request: about a second. */
  private static final int QUIET_READS = 10;

  /** Failed reads in a row after which a reader that was told nothing is told that. */
  private static final int FIRST_TRIES = 3;

  private static final int LATER_TRIES = 40;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final Replays replays;
  private final Caller caller;
  private final String kind;
  private final ReplayReader reader;
  private final Runnable over;
  private final Context loop;
  private final ArrayDeque<ReplayEvent> pending = new ArrayDeque<>();
  private long position;
  private int quiet;
  private int failures;
  private boolean waiting;
  private boolean endSeen;
  private boolean stopped;

  /**
   * @param kind completion or embedding
   * @param over called once, when nothing more is told
   */
  ReplayTail(Replays replays, Caller caller, String kind, ReplayReader reader, Runnable over) {
    this.replays = replays;
    this.caller = caller;
    this.kind = kind;
    this.reader = reader;
    this.over = over;
    this.loop = replays.vertx().getOrCreateContext();
  }

  void start() {
    follow();
    read();
  }

  /** Nobody listens any more. */
  void stop() {
    if (!stopped) {
      stopped = true;
      over.run();
    }
  }

  void fail(Throwable failure) {
    if (!stopped) {
      stop();
      reader.fail(failure);
    }
  }

  /** The reader has room again. */
  void drained() {
    if (waiting) {
      waiting = false;
      pump();
    }
  }

  /** Keeps the request from being stopped when the one who sent it first leaves. */
  private void follow() {
    if (!stopped) {
      replays.turns().noteFollower(caller.user(), caller.requestId(), Replays.GRACE);
      replays.vertx().setTimer(Replays.GRACE.toMillis() / 3, due -> follow());
    }
  }

  private void read() {
    if (!stopped) {
      replays
          .log()
          .read(caller.user(), caller.requestId(), position)
          .onComplete(read -> loop.runOnContext(now -> got(read)));
    }
  }

  private void again(long millis) {
    replays.vertx().setTimer(millis, due -> read());
  }

  private void got(AsyncResult<EventLog.Batch<ReplayEvent>> read) {
    if (stopped) {
      return;
    }
    if (read.failed()) {
      away(new GatewayError(
              Code.DEPENDENCY_UNAVAILABLE,
              "The answer of this idempotency key cannot be read now.",
              read.cause())
          .retryAfter(RETRY_AFTER));
      return;
    }
    EventLog.Batch<ReplayEvent> batch = read.result();
    failures = 0;
    if (!batch.events().isEmpty()) {
      quiet = 0;
      position += batch.events().size();
      pending.addAll(batch.events());
      pump();
    } else if (batch.gap()) {
      fail(Replays.notKept());
    } else if (quiet++ % QUIET_READS == 0) {
      look();
    } else {
      again(QUIET_MILLIS);
    }
  }

  private void away(Throwable failure) {
    failures++;
    if (failures >= (position == 0 ? FIRST_TRIES : LATER_TRIES)) {
      fail(failure);
    } else {
      again(FAILED_MILLIS);
    }
  }

  private void pump() {
    while (!stopped && !pending.isEmpty()) {
      if (reader.full()) {
        waiting = true;
        return;
      }
      tell(pending.remove());
    }
    if (!stopped) {
      again(BUSY_MILLIS);
    }
  }

  private void tell(ReplayEvent event) {
    if (event instanceof ReplayEvent.Opened opened) {
      reader.replayed(opened.createdSeconds());
    } else if (event instanceof ReplayEvent.Failed failed) {
      fail(failed.error());
    } else if (event instanceof ReplayEvent.Cut) {
      fail(Replays.notKept());
    } else if (!reader.takes(event)) {
      fail(Replays.otherKind());
    } else {
      if (event.last()) {
        stop();
      }
      reader.tell(event);
    }
  }

  private void look() {
    replays
        .turns()
        .used(caller.user(), caller.requestId())
        .onComplete(found -> loop.runOnContext(now -> stands(found)));
  }

  private void stands(AsyncResult<Optional<Used>> found) {
    if (stopped) {
      return;
    }
    if (found.failed()) {
      away(found.cause());
      return;
    }
    Used used = found.result().orElse(null);
    GatewayError end = end(used);
    // What was written last may come to the log a moment later than the end is stored.
    if (end != null && (endSeen || used == null || !used.state().terminal() || used.longOver())) {
      if (end.code() != Code.REQUEST_CONFLICT) {
        reader.replayed(caller.createdSeconds()); // a failure is an answer, too
      }
      fail(end);
    } else {
      endSeen = end != null;
      again(QUIET_MILLIS);
    }
  }

  /** What is told where the log tells no end; null while one can still come. */
  private @Nullable GatewayError end(@Nullable Used used) {
    if (used == null) {
      return Replays.notKept();
    }
    if (!used.kind().equals(kind)) {
      return Replays.otherKind();
    }
    return switch (used.state()) {
      case PENDING, STREAMING -> used.lapsed() ? failed(Code.INTERRUPTED) : null;
      case COMPLETED -> Replays.notKept();
      case CANCELLED -> Replays.leftAlone();
      case FAILED -> failed(used.error() == null ? Code.INTERNAL : Code.ofWire(used.error()));
    };
  }

  private static GatewayError failed(Code code) {
    return new GatewayError(
        code, "The request of this idempotency key failed. Send a new key to try again.");
  }
}
