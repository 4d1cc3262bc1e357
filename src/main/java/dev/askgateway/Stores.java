package dev.askgateway;

import dev.askgateway.budget.QueryCacheConfig;
import dev.askgateway.budget.RedisCancelSignals;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.budget.RedisQueryVectors;
import dev.askgateway.budget.hold.RedisHoldCache;
import dev.askgateway.budget.limit.Limiter;
import dev.askgateway.budget.limit.RedisLimiter;
import dev.askgateway.config.DatabaseSettings;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.QueryVectors;
import dev.askgateway.intake.Health;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where people's data is: PostgreSQL, and Redis in front of it. */
record Stores(
    Vertx vertx, Database database, int schema, RedisLink redis, RedisCancelSignals cancels) {
  private static final Logger LOG = LoggerFactory.getLogger(Stores.class);
  private static final long DATABASE_PATIENCE_MILLIS = 10_000;
  private static final long LET_GO_MILLIS = 1_000;
  private static final long REDIS_WATCH_MILLIS = 5_000;

  /** Empty when nothing that is served needs them. */
  static Optional<Stores> of(Vertx vertx, GatewayConfig config) {
    return config.database().map(DatabaseSettings::store).flatMap(store -> config
        .redis()
        .map(at -> {
          RedisLink redis = new RedisLink(vertx, at);
          return new Stores(
              vertx,
              new Database(vertx, store),
              Migrations.newest(),
              redis,
              new RedisCancelSignals(vertx, redis));
        }));
  }

  /** Nothing works without the database; without Redis all does, though only on the node asked. */
  Future<Void> open(Telemetry telemetry) {
    return database
        .check()
        .timeout(DATABASE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .recover(away -> Future.failedFuture(
            away instanceof TimeoutException
                ? new IllegalStateException("the database does not answer")
                : away))
        .onSuccess(there -> watchRedis(telemetry))
        .mapEmpty();
  }

  private void watchRedis(Telemetry telemetry) {
    AtomicBoolean there = new AtomicBoolean(true);
    Runnable look = () -> redis.check().onComplete(probe -> {
      boolean up = probe.succeeded();
      telemetry.redisDegraded(!up);
      if (there.getAndSet(up) != up) {
        LOG.warn(
            up
                ? "Redis is back"
                : "Redis is away: answers run, other nodes follow them from the database only");
      }
    });
    look.run();
    vertx.setPeriodic(REDIS_WATCH_MILLIS, tick -> look.run());
  }

  /** Limits that all nodes share, and each keeps for itself while Redis is away. */
  Limiter limiter(Telemetry telemetry) {
    return new RedisLimiter(redis, RedisLimiter.LEASE, () -> {
      telemetry.limits().decidedAlone();
      telemetry.redisDegraded(true);
    });
  }

  /** What is remembered of questions; nothing without a time to live. */
  Optional<QueryVectors> queryVectors(QueryCacheConfig config) {
    return config.isOn() ? Optional.of(new RedisQueryVectors(redis, config)) : Optional.empty();
  }

  /** The one way in which requests of this process begin and end, so that they share their groups. */
  TurnRepository turns(BudgetPolicy policy, Telemetry telemetry) {
    return new TurnRepository(
        database,
        policy,
        new RedisHoldCache(
            redis,
            policy,
            RedisHoldCache.UNDER_WAY,
            RedisHoldCache.KEPT,
            telemetry::holdCacheFailed));
  }

  Map<String, Health.Check> health() {
    return Map.of(
        "postgres", new Health.Check(true, database::check),
        "migrations", new Health.Check(true, () -> database.checkSchema(schema)),
        "redis", new Health.Check(false, redis::check));
  }

  Future<Void> closeRedis() {
    cancels.close();
    return redis.close();
  }

  /** A server that takes connections and says nothing would keep the pool open for its own sake. */
  Future<Void> closeDatabase() {
    return database.close().timeout(LET_GO_MILLIS, TimeUnit.MILLISECONDS);
  }
}
