package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.TurnLog;
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

  private final Vertx vertx;
  private final Loop home;
  private final TurnLog log;
  private final TurnRepository turns;
  private final UserId user;
  private final UUID requestId;
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

  /** @param over called when it stops, on its loop, possibly more than once */
  LogTail(
      Vertx vertx,
      Loop home,
      TurnLog log,
      TurnRepository turns,
      UserId user,
      StoredAnswer followed,
      Duration grace,
      Runnable over) {
    this.vertx = vertx;
    this.home = home;
    this.log = log;
    this.turns = turns;
    this.user = user;
    this.requestId = followed.ids().requestId();
    this.assistantTurnId = followed.assistantTurnId();
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
      turns.noteFollower(user, requestId, grace);
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

  private void got(AsyncResult<TurnLog.Batch> read, int mine) {
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
    turns.find(user, requestId).onComplete(found -> home.run(() -> stored(found, mine)));
  }

  /** The turn ended without this log telling it: what is missing comes from the stored turn. */
  private void stored(AsyncResult<Optional<JsonObject>> found, int mine) {
    if (mine != round || stopped) {
      return;
    }
    StoredAnswer stored =
        found.succeeded() ? found.result().map(StoredAnswer::new).orElse(null) : null;
    if (stored != null && stored.state().terminal()) {
      stored.rest(transcript).forEach(this::emit);
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

  /** Reads a turn's events as far as the log has them without a gap. */
  static Future<List<AnswerEvent>> whole(TurnLog log, UserId user, UUID assistantTurnId) {
    return read(log, user, assistantTurnId, new ArrayList<>());
  }

  private static Future<List<AnswerEvent>> read(
      TurnLog log, UserId user, UUID turn, List<AnswerEvent> sofar) {
    return log.read(user, turn, sofar.size()).compose(batch -> {
      sofar.addAll(batch.events());
      return batch.gap() || batch.events().isEmpty()
          ? Future.succeededFuture(sofar)
          : read(log, user, turn, sofar);
    });
  }
}
