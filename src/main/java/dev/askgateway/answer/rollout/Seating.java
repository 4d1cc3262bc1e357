package dev.askgateway.answer.rollout;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.byok.OwnModels;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Planner;
import io.vertx.core.Future;

/**
 * Finds who may answer a question, by the arm that its person has. Whoever answers with a model of their
 * own, or by quotes because models are off, is in no arm; so is a question that the candidate's models
 * cannot take and the control's can.
 */
public record Seating(Planner planner, Rollouts rollouts) {

  /** Who may answer, and what the question has of a rollout. */
  public record Seat(Plan plan, Rollouts.Given given) {}

  /** Who may answer; fails as the planner does. */
  public Future<Seat> seat(UserId user, String profile, Needs needs) {
    return planner
        .plan(user, profile, needs, Plan.Commit.TEXT)
        .compose(plan -> seat(user, profile, needs, plan));
  }

  private Future<Seat> seat(UserId user, String profile, Needs needs, Plan plan) {
    if (ModelSwitch.isStandIn(plan) || isOwn(plan)) {
      return Future.succeededFuture(new Seat(plan, Rollouts.Given.NOTHING));
    }
    Rollouts.Given given = rollouts.of(user, profile);
    String instead = given.profile();
    return instead == null
        ? Future.succeededFuture(new Seat(plan, given))
        : planner
            .plan(user, instead, needs, Plan.Commit.TEXT)
            .map(replaced -> new Seat(replaced, given))
            .otherwise(refused -> new Seat(plan, Rollouts.Given.NOTHING));
  }

  /** Whether only models that the person brought may answer. */
  public static boolean isOwn(Plan plan) {
    return plan.candidates().stream()
        .allMatch(candidate -> OwnModels.isOwn(candidate.provider().name()));
  }
}
