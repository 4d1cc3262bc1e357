package dev.askgateway.core;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * What was told of running turns or requests, shared by all nodes and gone a while after the last event:
 * what lets any node tell it again from its first event. A fast path only; losing it loses no turn.
 *
 * <p>Events are counted, so that a writer may send again what it is in doubt about, and a reader
 * notices when the log has lost its beginning or its middle.
 *
 * @param <E> what is told
 */
public interface EventLog<E> {

  /**
   * Appends events in order.
   *
   * @param id of the assistant's turn, or of the request
   * @param position how many events of it come before these. What is there at a position stays: the
   *     same append a second time changes nothing and succeeds
   */
  Future<Void> append(UserId user, UUID id, long position, List<E> events);

  /**
   * Reads what comes next, some of it or all.
   *
   * @param position how many events the reader has, 0 at the start
   */
  Future<Batch<E>> read(UserId user, UUID id, long position);

  /**
   * What a read found.
   *
   * @param gap whether the event after these is lost, though later ones are there
   */
  record Batch<E>(List<E> events, boolean gap) {}
}
