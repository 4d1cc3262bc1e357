package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** The log of one turn, by the rules of the real one, which loses what the dice say. */
final class FlakyLog implements EventLog<AnswerEvent> {
  private final Vertx vertx;
  private final Random dice;
  private final TreeMap<Long, List<AnswerEvent>> entries = new TreeMap<>();
  private final int lostRequests;
  private final int lostReplies;
  private final int flushes;
  private boolean deaf;

  /** Chances in a hundred. */
  FlakyLog(Vertx vertx, Random dice, int lostRequests, int lostReplies, int flushes) {
    this.vertx = vertx;
    this.dice = dice;
    this.lostRequests = lostRequests;
    this.lostReplies = lostReplies;
    this.flushes = flushes;
  }

  /** The writer is dead: nothing arrives any more. */
  void deaf() {
    deaf = true;
  }

  @Override
  public Future<Void> append(
      UserId user, UUID assistantTurnId, long position, List<AnswerEvent> events) {
    if (hits(flushes)) {
      entries.clear();
    }
    if (deaf || hits(lostRequests)) {
      return fail();
    }
    if (entries.isEmpty() || position > entries.lastKey()) {
      entries.put(position, List.copyOf(events));
    }
    return hits(lostReplies) ? fail() : pause().mapEmpty();
  }

  @Override
  public Future<Batch<AnswerEvent>> read(UserId user, UUID assistantTurnId, long position) {
    if (hits(lostReplies)) {
      return fail();
    }
    List<AnswerEvent> found = new ArrayList<>();
    int most = 1 + dice.nextInt(3);
    for (Map.Entry<Long, List<AnswerEvent>> entry : entries.tailMap(position).entrySet()) {
      if (entry.getKey() != position + found.size()) {
        return pause().map(new Batch<>(found, true));
      }
      if (most-- == 0) {
        break;
      }
      found.addAll(entry.getValue());
    }
    return pause().map(new Batch<>(found, false));
  }

  private boolean hits(int chance) {
    return dice.nextInt(100) < chance;
  }

  private Future<?> pause() {
    return dice.nextBoolean() ? Future.succeededFuture() : vertx.timer(1 + dice.nextInt(4));
  }

  private <T> Future<T> fail() {
    return vertx.timer(1).compose(late -> Future.failedFuture("lost"));
  }
}
