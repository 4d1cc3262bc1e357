package dev.askgateway.answer.rollout;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.byok.OwnModels;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Planner;
import io.vertx.core.Future;

/**
 * Finds who may answer a question, by the arm that its person has. Both profiles are planned in every arm, so
 * that the arms hold questions of the same kind: one that the candidate's models cannot take, or for which the
 * person has a model of their own under either name, is in no arm and answered as always. So is
 * whatever is quoted because models are off.
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
    if (isApart(plan)) {
      return Future.succeededFuture(new Seat(plan, Rollouts.Given.NOTHING));
    }
    Rollouts.Given given = rollouts.of(user, profile);
    String candidate = given.profile();
    Seat asAlways = new Seat(plan, Rollouts.Given.NOTHING);
    return candidate == null
        ? Future.succeededFuture(new Seat(plan, given))
        : planner
            .plan(user, candidate, needs, Plan.Commit.TEXT)
            .map(other ->
                isApart(other) ? asAlways : new Seat(given.isControl() ? plan : other, given))
            .otherwise(asAlways);
  }

  /** Whether the models of a rollout have no part in it. */
  private static boolean isApart(Plan plan) {
    return ModelSwitch.isStandIn(plan) || isOwn(plan);
  }

  /** Whether only models that the person brought may answer. */
  public static boolean isOwn(Plan plan) {
    return plan.candidates().stream()
        .allMatch(candidate -> OwnModels.isOwn(candidate.provider().name()));
  }
}
