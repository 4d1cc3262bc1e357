package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * A quick copy of accounts that all nodes share: refuses without a lock or a write of the database what
 * cannot be held. It only ever advises: a hold is there once the database has it, and a refusal is looked
 * at again there. So it may be slow, old, empty or away, and no money is at stake.
 */
public interface HoldCache {
  /** Knows nothing. */
  HoldCache NONE = new HoldCache() {
    @Override
    public Future<List<Boolean>> mayHold(List<Want> wants) {
      return Future.succeededFuture(Collections.nCopies(wants.size(), true));
    }

    @Override
    public void stands(UserId user, JsonObject account, List<UUID> through) {
      // nothing is kept
    }
  };

  /** What a request wants to hold, in micro-USD. */
  record Want(UserId user, UUID requestId, long microUsd) {}

  /**
   * Notes the wants as under way and tells each in its place whether, as far as is known, it can be held
   * beside all others. Never fails.
   */
  Future<List<Boolean>> mayHold(List<Want> wants);

  /**
   * An account as it stands after a transaction.
   *
   * @param account what the database's {@code account_copy} says of it: version, free (null: any
   *     amount), open, requestCap, month; empty when nothing was changed
   * @param through wants that are not under way any more: they are in the account, or were refused
   */
  void stands(UserId user, JsonObject account, List<UUID> through);
}
