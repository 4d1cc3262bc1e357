package dev.askgateway.provider.check;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Models;
import java.util.List;
import java.util.stream.Collectors;

/** Whether each profile has models to plan with. Asks nobody. */
public final class PlanCheck {
  private final Models models;

  private PlanCheck(Models models) {
    this.models = models;
  }

  /** One result for each profile, in their order. */
  public static List<Result> of(Models models) {
    PlanCheck check = new PlanCheck(models);
    return models.catalogue().profiles().values().stream().map(check::profile).toList();
  }

  private Result profile(Profile profile) {
    String embedding = models
        .embedding(profile.name())
        .map(model -> "embeds by " + model.name())
        .orElse("");
    try {
      String plan = embedding.isEmpty() ? answering(profile) : embedding;
      return Result.passed(profile.name(), plan, 0);
    } catch (GatewayError refused) {
      return Result.failed(profile.name(), Verdicts.said(refused), 0);
    }
  }

  private String answering(Profile profile) {
    Plan plan = models.plan(profile.name(), profile.needs(), Plan.Commit.TEXT);
    return plan.candidates().stream()
        .map(candidate -> candidate.provider().name())
        .collect(Collectors.joining(", ", "answers by ", ""));
  }
}
