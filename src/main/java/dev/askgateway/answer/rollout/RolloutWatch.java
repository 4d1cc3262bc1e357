package dev.askgateway.answer.rollout;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.store.Arm;
import dev.askgateway.store.Arm.Place;
import dev.askgateway.store.Rollout;
import dev.askgateway.store.RolloutRepository;
import dev.askgateway.store.RolloutState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators changed, as the database says it: every node hears of it within {@code rollout.interval},
 * without a restart and without a look on any request's way. While the database is away, what was last
 * known holds; before it was ever known, models are off.
 */
public final class RolloutWatch implements Rollouts {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutWatch.class);

  private final Vertx vertx;
  private final RolloutRepository repository;
  private final Duration interval;
  private final ModelSwitch models;
  private final Predicate<Rollout> able;
  private final Consumer<Rollout> changed;
  private volatile @Nullable Rollout running;
  private volatile @Nullable RolloutState known;
  private volatile boolean looking;
  private volatile boolean away;
  private volatile long timer = -1;

  /**
   * Knows nothing yet.
   *
   * @param models is set as the database has it
   * @param able whether this node has what a rollout gives, and may give it
   * @param changed hears of the newest rollout, now and whenever it changes
   */
  public RolloutWatch(
      Vertx vertx,
      RolloutRepository repository,
      RolloutConfig config,
      ModelSwitch models,
      Predicate<Rollout> able,
      Consumer<Rollout> changed) {
    this.vertx = vertx;
    this.repository = repository;
    this.interval = config.interval();
    this.models = models;
    this.able = able;
    this.changed = changed;
  }

  /** Does not fail: a schema that is yet to be migrated is waited for. */
  public Future<Void> start() {
    return look()
        .onFailure(this::told)
        .otherwiseEmpty()
        .onSuccess(looked -> timer = vertx.setPeriodic(interval.toMillis(), tick -> again()));
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

  /** Reads once what holds; one look at a time, so that none is overtaken. */
  Future<Void> look() {
    return repository.state().onSuccess(this::apply).mapEmpty();
  }

  private void apply(RolloutState now) {
    RolloutState before = known;
    known = now;
    models.set(now.modelsOff());
    if (before == null || !Objects.equals(before.rollout(), now.rollout())) {
      apply(now.rollout());
    }
    if (!now.readable() && (before == null || before.readable())) {
      LOG.warn(
          "The newest rollout cannot be read here: everybody is answered as it is configured.");
    }
    if (before == null ? now.modelsOff() : before.modelsOff() != now.modelsOff()) {
      LOG.warn("models are switched {}", now.modelsOff() ? "off" : "on");
    }
  }

  private void apply(@Nullable Rollout now) {
    if (now == null) {
      running = null;
      return;
    }
    boolean given = now.isRunning() && able.test(now);
    running = given ? now : null;
    changed.accept(now);
    LOG.info("rollout {} is {} at {} %", now.name(), now.state().wire(), now.share());
    if (now.isRunning() && !given) {
      LOG.warn(
          "This node has not {}, or not as what may stand in: rollout {} gives nobody anything here.",
          now.candidate(),
          now.name());
    }
  }

  /** The newest rollout, which may have ended, or null. */
  public @Nullable Rollout newest() {
    RolloutState state = known;
    return state == null ? null : state.rollout();
  }

  /** The rollout that runs and that this node has, or null. */
  @Nullable
  Rollout running() {
    return running;
  }

  @Override
  public Given of(UserId user, String profile) {
    Rollout rollout = running;
    if (rollout == null || !concerns(rollout, profile)) {
      return Given.NOTHING;
    }
    Place place = Draw.of(rollout, user);
    Arm arm = new Arm(rollout.run(), place);
    return rollout.kind() == Rollout.Kind.PROFILE
        ? new Given(arm, rollout.candidate(), null)
        : new Given(arm, null, place == Place.CONTROL ? null : rollout.candidate());
  }

  private static boolean concerns(Rollout rollout, String profile) {
    return rollout.kind() == Rollout.Kind.RETRIEVAL || rollout.control().equals(profile);
  }
}
