package dev.askgateway.core;

import io.vertx.core.Future;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Carries a Stop from the node that was asked to the node that runs the answer. */
public interface CancelSignals {

  /** Tells every node. A failure only delays the stop: the lease's renewal carries it too. */
  Future<Void> send(UserId user, UUID requestId);

  /** Calls the handler for each signal from now on, on any thread. */
  void listen(BiConsumer<UserId, UUID> handler);
}
