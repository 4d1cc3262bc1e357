package dev.askgateway.load.stream;

import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.Session;
import java.util.concurrent.CompletableFuture;

/**
 * A step of a scenario that takes time without holding a thread.
 *
 * @param name under which a failure is recorded
 */
public record Step(String name, Work work) implements ActionBuilder {

  /** What is done for one virtual user. */
  @FunctionalInterface
  public interface Work {
    /** Completes with the session to go on with; a failure marks the user as failed. */
    CompletableFuture<Session> begin(Session session, Records records);
  }

  @Override
  public io.gatling.core.action.builder.ActionBuilder asScala() {
    return new Builder(this);
  }

  /** Makes the action when the scenario is built. */
  private record Builder(Step step) implements io.gatling.core.action.builder.ActionBuilder {
    @Override
    public Action build(io.gatling.core.structure.ScenarioContext context, Action next) {
      CoreComponents core = context.coreComponents();
      return new StepAction(step, core.statsEngine(), core.clock(), next);
    }

    @Override
    public io.gatling.core.structure.ChainBuilder toChainBuilder() {
      return io.gatling.core.action.builder.ActionBuilder.super.toChainBuilder();
    }
  }
}
