package dev.askgateway.answer.rollout;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.RolloutRepository;
import dev.askgateway.store.RolloutState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators changed, as the database says it: every node hears of it within {@code rollout.interval},
 * without a restart and without a look on any request's way. While the database is away, what was last
 * known holds; before it was ever known, models are off.
 */
public final class RolloutWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutWatch.class);

  private final Vertx vertx;
  private final RolloutRepository repository;
  private final Duration interval;
  private final ModelSwitch models;
  private volatile @Nullable RolloutState known;
  private volatile boolean looking;
  private volatile boolean away;
  private volatile long timer = -1;

  /** @param models is set as the database has it */
  public RolloutWatch(
      Vertx vertx, RolloutRepository repository, RolloutConfig config, ModelSwitch models) {
    this.vertx = vertx;
    this.repository = repository;
    this.interval = config.interval();
    this.models = models;
  }

  /** Does not fail: a schema that is yet to be migrated is waited for. */
  public Future<Void> start() {
    timer = vertx.setPeriodic(interval.toMillis(), tick -> again());
    return look().onFailure(this::told).otherwiseEmpty();
  }

  public void stop() {
    vertx.cancelTimer(timer);
  }

  private void again() {
    if (!looking) {
      looking = true;
      look().onComplete(read -> {
        looking = false;
        if (read.failed()) {
          told(read.cause());
        } else {
          away = false;
        }
      });
    }
  }

  private void told(Throwable failure) {
    if (!away) {
      away = true;
      LOG.warn(
          "the switch of models and rollouts are not read, what is known stays: {}",
          failure instanceof GatewayError error
              ? error.code()
              : failure.getClass().getName());
    }
  }

  /** Reads once what holds. */
  public Future<Void> look() {
    return repository.state().onSuccess(this::apply).mapEmpty();
  }

  private void apply(RolloutState now) {
    RolloutState before = known;
    known = now;
    models.set(now.modelsOff());
    if (before == null ? now.modelsOff() : before.modelsOff() != now.modelsOff()) {
      LOG.warn("models are switched {}", now.modelsOff() ? "off" : "on");
    }
  }
}
