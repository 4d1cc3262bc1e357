package dev.askgateway.core;

import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * What was told of requests with an idempotency key, shared by all nodes and gone a while after its
 * last event. Events are counted as in {@link TurnLog}.
 */
public interface ReplayLog {

  /**
   * Appends events in order.
   *
   * @param position how many events of the request come before these. What is there at a position
   *     stays: the same append a second time changes nothing and succeeds
   */
  Future<Void> append(UserId user, UUID requestId, long position, List<ReplayEvent> events);

  /**
   * Reads what comes next, some of it or all.
   *
   * @param position how many events the reader has, 0 at the start
   */
  Future<Batch> read(UserId user, UUID requestId, long position);

  /**
   * What a read found.
   *
   * @param gap whether the event after these is lost, though later ones are there
   */
  record Batch(List<ReplayEvent> events, boolean gap) {}
}
