package dev.askgateway.answer.completion;

import dev.askgateway.answer.Finisher;
import dev.askgateway.store.Begun;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Who keeps account of what is held and spent, and of request ids that were used. */
public interface Accounts {

  /**
   * What is held for a request.
   *
   * @param priceBook the version of the prices it was computed with, which the request keeps
   */
  record Hold(long microUsd, String priceBook) {}

  /** Keeps none: nothing is held or charged, and no request id is remembered. */
  Accounts NONE = new Accounts() {
    @Override
    public Future<Begun> begin(
        Caller caller, String kind, String model, Hold hold, Duration longest) {
      return Future.succeededFuture(Begun.FRESH);
    }

    @Override
    public Future<Void> finish(Caller caller, JsonObject end) {
      return Future.succeededFuture();
    }
  };

  /**
   * The accounts in the database.
   *
   * @param lease how long this node is believed to be alive after its last sign
   */
  static Accounts ledger(Vertx vertx, TurnRepository turns, String node, Duration lease) {
    return ledger(vertx, turns, node, lease, System::nanoTime);
  }

  /** The same in a time of its own. */
  static Accounts ledger(
      Vertx vertx, TurnRepository turns, String node, Duration lease, LongSupplier nanos) {
    return new Ledger(
        turns,
        new Finisher(vertx, turns::finishOutside, node),
        node,
        new Leases(vertx, turns, node, lease, nanos));
  }

  /**
   * Tells of requests that another node has ended or may have ended, though they run here: what they
   * use from now on nobody pays.
   */
  default void whenLost(Consumer<TurnRepository.Running> told) {
    // nothing that is not kept can be lost
  }

  /**
   * Takes the hold.
   *
   * @param kind completion or embedding
   * @param longest after which the request is ended by whoever sweeps: longer than it can take
   * @return {@link Begun#USED} for a request id that was used with the same body. Fails with
   *     {@code REQUEST_CONFLICT} for one used with another body, {@code BUDGET_EXHAUSTED} without the
   *     means, {@code AI_DISABLED}
   */
  Future<Begun> begin(Caller caller, String kind, String model, Hold hold, Duration longest);

  /**
   * Settles a request that was begun, once: later calls change nothing. Complete when that is done,
   * or left to whoever sweeps.
   *
   * @param end as the database's function of a turn's end reads it
   */
  Future<Void> finish(Caller caller, JsonObject end);

  /** What was begun here and is not settled yet: it is not swept. */
  default List<TurnRepository.Running> running() {
    return List.of();
  }

  /** Nothing is begun any more, and all is settled. */
  default void close() {
    // nothing is kept
  }
}
