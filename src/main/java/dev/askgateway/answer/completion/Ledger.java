package dev.askgateway.answer.completion;

import dev.askgateway.answer.Finisher;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The accounts of turns, which know of completions as of turns without a thread. */
record Ledger(TurnRepository turns, Finisher finisher, String node) implements Accounts {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

  @Override
  public Future<Boolean> begin(
      Caller caller, String kind, String model, Hold hold, Duration lease) {
    return turns.beginOutside(TurnRepository.Begin.outside(
        caller.user(),
        caller.requestId(),
        caller.fingerprint(),
        kind,
        model,
        node,
        lease,
        hold.microUsd(),
        hold.priceBook()));
  }

  @Override
  public Future<Void> finish(Caller caller, JsonObject end) {
    return finisher
        .finish(caller.user(), caller.requestId(), end)
        .<Void>mapEmpty()
        .recover(away -> {
          LOG.error(
              "completion not settled yet: request {} cause {}",
              caller.requestId(),
              away.getClass().getSimpleName());
          finisher.later(caller.user(), caller.requestId(), end);
          return Future.succeededFuture();
        });
  }
}
