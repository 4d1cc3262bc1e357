package dev.askgateway;

import dev.askgateway.answer.rollout.RolloutGuard;
import dev.askgateway.answer.rollout.RolloutWatch;
import dev.askgateway.answer.rollout.Rollouts;
import dev.askgateway.answer.rollout.Seating;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.store.Rollout;
import dev.askgateway.store.RolloutRepository;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What operators change while this node runs, wired. Without a database nobody can change anything.
 *
 * @param models the switch of models
 */
record Changes(
    ModelSwitch models,
    @Nullable RolloutWatch watch,
    @Nullable RolloutGuard guard) {

  static Changes of(
      Vertx vertx, GatewayConfig config, @Nullable Stores stores, Telemetry telemetry) {
    ModelSwitch models = new ModelSwitch(stores != null, Dialects.quoting(vertx));
    telemetry.rollouts().models(() -> !models.isOff());
    telemetry.rollouts().gates(RolloutGuard.gates());
    if (stores == null) {
      return new Changes(models, null, null);
    }
    RolloutRepository repository = new RolloutRepository(stores.database());
    RolloutWatch watch = new RolloutWatch(
        vertx,
        repository,
        config.rollout(),
        models,
        rollout -> isHere(rollout, config),
        rollout -> telemetry.rollouts().share(rollout.name(), rollout.share()));
    RolloutGuard guard = new RolloutGuard(
        vertx, repository, watch, config.rollout(), telemetry.rollouts()::takenBack);
    return new Changes(models, watch, guard);
  }

  /** As it was for the start of the rollout, which the command looked at with a configuration of its own. */
  static boolean isHere(Rollout rollout, GatewayConfig config) {
    return switch (rollout.kind()) {
      case PROFILE ->
        config.models().catalogue().mayReplace(rollout.control(), rollout.candidate());
      case RETRIEVAL -> config.retrievalVersions().containsKey(rollout.candidate());
    };
  }

  /** Who may answer questions, whatever is switched and rolled out. */
  Seating seating(Planner planner) {
    return new Seating(models.quoting(planner), watch == null ? Rollouts.NONE : watch);
  }

  /** Succeeds once what holds is known, or cannot be known yet. */
  Future<Void> start() {
    if (watch == null || guard == null) {
      return Future.succeededFuture();
    }
    guard.start();
    return watch.start();
  }

  void stop() {
    if (watch != null && guard != null) {
      guard.stop();
      watch.stop();
    }
  }

  /** As readiness shows it. */
  JsonObject told() {
    JsonObject told = new JsonObject().put("models", models.isOff() ? "off" : "on");
    Rollout newest = watch == null ? null : watch.newest();
    return newest == null
        ? told
        : told.put(
            "rollout",
            new JsonObject()
                .put("name", newest.name())
                .put("state", newest.state().wire())
                .put("share", newest.share())
                .put("gate", newest.gate()));
  }
}
