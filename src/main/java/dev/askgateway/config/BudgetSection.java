package dev.askgateway.config;

import dev.askgateway.budget.BudgetConfig;
import dev.askgateway.store.BudgetPolicy;

/** Which keys fill the budget. No rules: the record has them. */
final class BudgetSection {
  private BudgetSection() {}

  static BudgetConfig read(Section root) {
    Section budget = root.section("budget");
    return new BudgetConfig(
        new BudgetPolicy(
            budget.dollars("monthly").orElse(null),
            budget.dollars("requestCap").orElse(null),
            budget.dollars("dailyWarning").orElse(null),
            budget.integer("openHolds")),
        budget.bool("overage"));
  }
}
