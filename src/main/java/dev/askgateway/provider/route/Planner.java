package dev.askgateway.provider.route;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.Future;

/** Finds who may answer a person's request. */
@FunctionalInterface
public interface Planner {

  /**
   * Who may answer, in order.
   *
   * @param name a profile, or a model's id
   * @return the plan, complete at once where nothing need be looked up; fails as {@link Models#plan}
   */
  Future<Plan> plan(UserId user, String name, Needs needs, Plan.Commit commit);
}
