package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Follows an answer that another node (or nobody any more) runs: reads the shared log, and when that
 * is silent or has lost something the stored turn, until one of them tells the end. While it has
 * readers it says so, which keeps the answer from being stopped for want of them.
 */
final class LogTail implements Feed.Watcher {
  private static final long BUSY_MILLIS = 25;
  private static final long QUIET_MILLIS = 100;

  /** Quiet reads before the stored turn is asked: about a second. A failed read counts for more. */
  private static final int QUIET_READS = 10;

  private static final int FAILED_READ = 4;

  private static final int WHOLE_TRIES = 3;

  private final Vertx vertx;
  private final Loop home;
  private final EventLog<AnswerEvent> log;
  private final Stored stored;
  private final UserId user;
  private final UUID assistantTurnId;
  private final Duration grace;
  private final Feed feed;
  private final Runnable over;
  private final Transcript transcript = new Transcript();
  private long position;
  private int quiet;
  private boolean gap;

  /** Which start this is: what an earlier one still waits for must not go on beside it. */
  private int round;

  private boolean stopped = true;

  /** The turn in the database. */
  interface Stored {
    Future<Optional<JsonObject>> find();

    /** Somebody follows it here, and will for so long unless it is said again. */
    void follow(Duration validFor);

    static Stored of(TurnRepository turns, UserId user, UUID requestId) {
      return new Stored() {
        @Override
        public Future<Optional<JsonObject>> find() {
          return turns.find(user, requestId);
        }

        @Override
        public void follow(Duration validFor) {
          turns.noteFollower(user, requestId, validFor);
        }
      };
    }
  }

  /** @param over called when it stops, on its loop, possibly more than once */
  LogTail(
      Vertx vertx,
      Loop home,
      EventLog<AnswerEvent> log,
      Stored stored,
      UserId user,
      UUID assistantTurnId,
      Duration grace,
      Runnable over) {
    this.vertx = vertx;
    this.home = home;
    this.log = log;
    this.stored = stored;
    this.user = user;
    this.assistantTurnId = assistantTurnId;
    this.grace = grace;
    this.over = over;
    this.feed = new Feed(home, this);
  }

  /** Its readers start and stop it. */
  Feed feed() {
    return feed;
  }

  @Override
  public void readers(int count) {
    if (count == 0) {
      stopped = true;
      over.run();
    } else if (stopped && !feed.ended()) {
      stopped = false;
      round++;
      follow(round);
      read(round);
    }
  }

  @Override
  public void slow(boolean slow) {
    // The log is bounded and already written: nothing to hold back.
  }

  private void follow(int mine) {
    if (mine == round && !stopped && !grace.isZero()) {
      stored.follow(grace);
      vertx.setTimer(Math.max(1, grace.toMillis() / 3), id -> home.run(() -> follow(mine)));
    }
  }

  private void read(int mine) {
    if (mine != round || stopped) {
      return;
    }
    if (gap) {
      askStored(mine);
      return;
    }
    log.read(user, assistantTurnId, position).onComplete(read -> home.run(() -> got(read, mine)));
  }

  private void got(AsyncResult<EventLog.Batch<AnswerEvent>> read, int mine) {
    if (mine != round || stopped) {
      return;
    }
    if (read.succeeded() && !read.result().events().isEmpty()) {
      quiet = 0;
      gap = read.result().gap();
      position += read.result().events().size();
      read.result().events().forEach(this::emit);
      again(BUSY_MILLIS, mine);
      return;
    }
    gap = read.succeeded() && read.result().gap();
    quiet += read.succeeded() ? 1 : FAILED_READ;
    if (gap || quiet >= QUIET_READS) {
      quiet = 0;
      askStored(mine);
    } else {
      again(QUIET_MILLIS, mine);
    }
  }

  private void again(long millis, int mine) {
    vertx.setTimer(millis, id -> home.run(() -> read(mine)));
  }

  private void askStored(int mine) {
    stored.find().onComplete(found -> home.run(() -> stored(found, mine)));
  }

  /** The turn ended without this log telling it: what is missing comes from the stored turn. */
  private void stored(AsyncResult<Optional<JsonObject>> found, int mine) {
    if (mine != round || stopped) {
      return;
    }
    StoredAnswer answer =
        found.succeeded() ? found.result().map(StoredAnswer::new).orElse(null) : null;
    if (answer != null && answer.state().terminal()) {
      answer.rest(transcript).forEach(this::emit);
    } else {
      again(gap ? QUIET_MILLIS * FAILED_READ : QUIET_MILLIS, mine);
    }
  }

  private void emit(AnswerEvent event) {
    transcript.add(event);
    feed.emit(event);
    if (event instanceof AnswerEvent.Ended && !stopped) {
      stopped = true;
      over.run();
    }
  }

  /** Reads a turn's events as far as the log has them without a gap; one lost reply loses nothing. */
  static Future<List<AnswerEvent>> whole(
      EventLog<AnswerEvent> log, UserId user, UUID assistantTurnId) {
    return read(log, user, assistantTurnId, new ArrayList<>(), WHOLE_TRIES);
  }

  private static Future<List<AnswerEvent>> read(
      EventLog<AnswerEvent> log, UserId user, UUID turn, List<AnswerEvent> sofar, int tries) {
    return log.read(user, turn, sofar.size()).transform(read -> {
      if (read.failed()) {
        return tries > 1
            ? read(log, user, turn, sofar, tries - 1)
            : Future.failedFuture(read.cause());
      }
      sofar.addAll(read.result().events());
      return read.result().gap() || read.result().events().isEmpty()
          ? Future.succeededFuture(sofar)
          : read(log, user, turn, sofar, WHOLE_TRIES);
    });
  }
}
