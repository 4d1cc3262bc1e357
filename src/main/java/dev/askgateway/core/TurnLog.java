package dev.askgateway.core;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * The live event log of running turns, shared by all nodes: what lets any node replay an answer from
 * its first event. A fast path only; losing it loses no turn.
 *
 * <p>Events are counted, so that a writer may send again what it is in doubt about, and a reader
 * notices when the log has lost its beginning or its middle.
 */
public interface TurnLog {

  /**
   * Appends events in order.
   *
   * @param position how many events of the turn come before these. What is there at a position stays:
   *     the same append a second time changes nothing and succeeds
   */
  Future<Void> append(UserId user, UUID assistantTurnId, long position, List<AnswerEvent> events);

  /**
   * Reads what comes next, some of it or all.
   *
   * @param position how many events the reader has, 0 at the start
   */
  Future<Batch> read(UserId user, UUID assistantTurnId, long position);

  /**
   * What a read found.
   *
   * @param gap whether the event after these is lost, though later ones are there
   */
  record Batch(List<AnswerEvent> events, boolean gap) {}
}
