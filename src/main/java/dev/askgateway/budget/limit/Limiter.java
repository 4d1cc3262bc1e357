package dev.askgateway.budget.limit;

import io.vertx.core.Future;
import java.time.Duration;

/** Admits requests while their owner has tokens and room. Any thread may call any method. */
public interface Limiter {
  /** Takes a token and, if the limit has a number at a time, a slot; both or none. Never fails. */
  Future<Verdict> take(Claim claim);

  /** Keeps the slot of a request that still runs for another {@link #lease}. */
  Future<Void> renew(Claim claim);

  /** Gives the slot back. Safe to repeat. */
  Future<Void> release(Claim claim);

  /** How long a slot is kept that nobody renews. */
  Duration lease();
}
