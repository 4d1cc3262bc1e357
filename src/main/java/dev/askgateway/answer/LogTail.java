package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;

/**
 * Follows an answer that another node (or nobody any more) runs: reads the shared log, and when that
 * is silent the stored turn, until one of them tells the end.
 */
final class LogTail implements Feed.Watcher {
  private static final long BUSY_MILLIS = 25;
  private static final long QUIET_MILLIS = 100;

  /** Quiet reads before the stored turn is asked: about a second. */
  private static final int QUIET_READS = 10;

  private final Vertx vertx;
  private final TurnLog log;
  private final TurnRepository turns;
  private final UserId user;
  private final UUID requestId;
  private final UUID assistantTurnId;
  private final Feed feed;
  private final Runnable over;
  private final Transcript transcript = new Transcript();
  private String cursor = "";
  private int quiet;
  private boolean stopped;

  LogTail(
      Vertx vertx,
      Loop home,
      TurnLog log,
      TurnRepository turns,
      UserId user,
      StoredAnswer followed,
      Runnable over) {
    this.vertx = vertx;
    this.log = log;
    this.turns = turns;
    this.user = user;
    this.requestId = followed.ids().requestId();
    this.assistantTurnId = followed.assistantTurnId();
    this.over = over;
    this.feed = new Feed(home, this);
  }

  Feed feed() {
    return feed;
  }

  /** On the feed's loop. */
  void start() {
    log.read(user, assistantTurnId, cursor).onComplete(read -> {
      if (stopped) {
        return;
      }
      if (read.succeeded() && !read.result().events().isEmpty()) {
        quiet = 0;
        cursor = read.result().cursor();
        read.result().events().forEach(this::emit);
        again(BUSY_MILLIS);
      } else if (++quiet >= QUIET_READS) {
        quiet = 0;
        askStored();
      } else {
        again(QUIET_MILLIS);
      }
    });
  }

  private void again(long millis) {
    if (!stopped) {
      vertx.setTimer(millis, id -> start());
    }
  }

  private void askStored() {
    turns.find(user, requestId).onComplete(found -> {
      if (stopped) {
        return;
      }
      StoredAnswer stored =
          found.succeeded() ? found.result().map(StoredAnswer::new).orElse(null) : null;
      if (stored != null && stored.state().terminal()) {
        settle(stored);
      } else {
        again(QUIET_MILLIS);
      }
    });
  }

  /** The turn ended without this log telling it: what is missing comes from the stored turn. */
  private void settle(StoredAnswer stored) {
    if (feed.events().isEmpty()) {
      stored.replay().forEach(this::emit);
      return;
    }
    List<AnswerEvent> rest = stored.rest(transcript.text());
    if (!rest.isEmpty() && transcript.text().isEmpty()) {
      emit(new AnswerEvent.TextStarted());
    }
    rest.forEach(this::emit);
    emit(stored.ended());
  }

  private void emit(AnswerEvent event) {
    transcript.add(event);
    feed.emit(event);
    if (event instanceof AnswerEvent.Ended) {
      stop();
    }
  }

  private void stop() {
    if (!stopped) {
      stopped = true;
      over.run();
    }
  }

  @Override
  public void readers(int count) {
    if (count == 0) {
      stop();
    } else if (stopped && !feed.ended()) {
      stopped = false; // a reader came in the moment the last one left
      start();
    }
  }

  @Override
  public void slow(boolean slow) {
    // The log is bounded and already written: nothing to hold back.
  }

  /** Reads a finished turn's events as long as the log has them. */
  static Future<List<AnswerEvent>> whole(TurnLog log, UserId user, UUID assistantTurnId) {
    return read(log, user, assistantTurnId, "", List.of());
  }

  private static Future<List<AnswerEvent>> read(
      TurnLog log, UserId user, UUID turn, String cursor, List<AnswerEvent> before) {
    return log.read(user, turn, cursor).compose(batch -> {
      if (batch.events().isEmpty()) {
        return Future.succeededFuture(before);
      }
      List<AnswerEvent> all = new java.util.ArrayList<>(before);
      all.addAll(batch.events());
      return read(log, user, turn, batch.cursor(), all);
    });
  }
}
