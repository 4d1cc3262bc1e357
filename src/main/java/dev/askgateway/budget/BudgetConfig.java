package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import dev.askgateway.store.BudgetPolicy;

/**
 * What persons may spend.
 *
 * @param policy what holds for accounts that say nothing else
 * @param overage whether persons may agree to pay beyond allowance and credits, up to a cap of their own
 */
public record BudgetConfig(BudgetPolicy policy, boolean overage) {
  private static final int MOST_OPEN = 1_000_000;

  public BudgetConfig {
    Rule.range("budget.openHolds", policy.openHolds(), 0, MOST_OPEN);
  }
}
