package dev.askgateway.intake;

import dev.askgateway.store.BudgetRepository;

/**
 * What people's accounts stand on.
 *
 * @param overageOffered whether a person may agree to pay for more than the allowance and credits
 */
public record BudgetParts(BudgetRepository budgets, boolean overageOffered) {}
