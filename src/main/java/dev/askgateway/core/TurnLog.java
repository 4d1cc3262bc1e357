package dev.askgateway.core;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * The live event log of running turns, shared by all nodes: what lets any node replay an answer from
 * its first event. A fast path only; losing it loses no turn.
 */
public interface TurnLog {

  /**
   * Appends events in order. Never waits in the answer's path: a failure is counted and the returned
   * future, which nobody has to look at, fails.
   */
  Future<Void> append(UserId user, UUID assistantTurnId, List<AnswerEvent> events);

  /**
   * Reads the events after a position.
   *
   * @param cursor where to go on: {@link Batch#cursor} of the read before, or "" for the start
   */
  Future<Batch> read(UserId user, UUID assistantTurnId, String cursor);

  record Batch(List<AnswerEvent> events, String cursor) {}
}
