package dev.askgateway.answer.completion;

import dev.askgateway.answer.Finisher;
import dev.askgateway.store.Begin;
import dev.askgateway.store.Begun;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The accounts of turns, which know of completions as of turns without a thread. */
record Ledger(TurnRepository turns, Finisher finisher, String node, Leases leases)
    implements Accounts {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

  @Override
  public Future<Begun> begin(
      Caller caller, String kind, String model, Hold hold, Duration longest) {
    return turns
        .beginOutside(Begin.outside(
            caller.user(),
            caller.requestId(),
            caller.fingerprint(),
            kind,
            model,
            node,
            leases.first(longest),
            hold.microUsd(),
            hold.priceBook()))
        .compose(begun -> begun.fresh()
            ? leases.keep(caller.user(), caller.requestId(), longest).map(begun)
            : Future.succeededFuture(begun));
  }

  @Override
  public Future<Void> finish(Caller caller, JsonObject end) {
    return finisher
        .finish(caller.user(), caller.requestId(), end)
        .<Void>mapEmpty()
        .onSuccess(stored -> leases.let(caller.user(), caller.requestId()))
        .recover(away -> {
          LOG.error(
              "completion not settled yet: request {} cause {}",
              LogFields.request(caller.requestId()),
              away.getClass().getSimpleName());
          // Until then it stays this node's: who sweeps knows nothing of what was used.
          finisher
              .later(caller.user(), caller.requestId(), end)
              .onComplete(done -> leases.let(caller.user(), caller.requestId()));
          return Future.succeededFuture();
        });
  }

  @Override
  public void whenLost(Consumer<TurnRepository.Running> told) {
    leases.whenLost(told);
  }

  @Override
  public List<TurnRepository.Running> running() {
    return leases.kept();
  }

  @Override
  public void close() {
    leases.close();
  }
}
