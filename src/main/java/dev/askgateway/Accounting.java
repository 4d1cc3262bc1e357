package dev.askgateway;

import dev.askgateway.answer.Finisher;
import dev.askgateway.answer.Sweeper;
import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.Replays;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.ReconcileWatch;
import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.intake.BudgetParts;
import dev.askgateway.intake.Surface;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.store.BudgetRepository;
import dev.askgateway.store.ReconcileRepository;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** People's accounts, wired: how requests begin and end, who sweeps, who looks whether it all agrees. */
final class Accounting {
  private final Vertx vertx;
  private final GatewayConfig config;
  private final Stores stores;
  private final String node;
  private final TurnRepository turns;
  private final Accounts accounts;
  private final @Nullable Sweeper sweeper;
  private final ReconcileWatch reconcile;

  Accounting(
      Vertx vertx,
      GatewayConfig config,
      Telemetry telemetry,
      Stores stores,
      PriceBooks prices,
      String node) {
    this.vertx = vertx;
    this.config = config;
    this.stores = stores;
    this.node = node;
    turns = stores.turns(config.budget().policy(), telemetry);
    accounts = config.edge().accounting() == EdgeConfig.Accounting.NONE
        ? Accounts.NONE
        : Accounts.ledger(vertx, turns, node, config.answer().lease());
    sweeper = sweeper(prices);
    reconcile = new ReconcileWatch(
        vertx,
        new ReconcileRepository(stores.database()),
        config.reconcile(),
        telemetry.money()::reconciled);
  }

  /** Where answers are given their service sweeps; completions alone need it as much. */
  private @Nullable Sweeper sweeper(PriceBooks prices) {
    return accounts == Accounts.NONE || config.surfaces().contains(Surface.ASK)
        ? null
        : new Sweeper(
            vertx,
            turns,
            RedisEventLog.ofTurns(stores.redis()),
            book -> prices.find(book).orElseGet(prices::current)::costMicroUsd,
            config.answer(),
            node,
            new Finisher(vertx, turns::finish, node));
  }

  /** The one way in which requests of this process begin and end. */
  TurnRepository turns() {
    return turns;
  }

  /** The accounts of completions. */
  Accounts accounts() {
    return accounts;
  }

  /** Completions and embeddings that run on this node. */
  List<TurnRepository.Running> running() {
    return accounts.running();
  }

  /** Without accounts no request id is remembered, so that nothing can be told again. */
  @Nullable
  Replays replays() {
    return accounts == Accounts.NONE
        ? null
        : new Replays(vertx, RedisEventLog.ofRequests(stores.redis()), turns);
  }

  /** What people see of their money, wherever somebody is charged. */
  @Nullable
  BudgetParts parts() {
    boolean charged = config.surfaces().contains(Surface.ASK)
        || (config.surfaces().contains(Surface.EDGE) && accounts != Accounts.NONE);
    return charged
        ? new BudgetParts(
            new BudgetRepository(stores.database(), config.budget().policy()),
            config.budget().overage())
        : null;
  }

  void start() {
    if (sweeper != null) {
      sweeper.start(accounts::running);
    }
    reconcile.start();
  }

  /** Sweeps and compares no more; what runs still ends. Complete when what was claimed is ended. */
  Future<Void> stop() {
    reconcile.stop();
    return sweeper == null ? Future.succeededFuture() : sweeper.stop();
  }
}
