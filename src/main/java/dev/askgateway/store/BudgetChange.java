package dev.askgateway.store;

import org.jspecify.annotations.Nullable;

/**
 * What to change of an account; what is null here stays as it is.
 *
 * @param monthly the allowance of each month, the operator's to set; to nothing: no limit
 * @param overageCap to nothing: no overage
 * @param requestCap to nothing: the gateway's own
 * @param dailyWarning to nothing: the gateway's own
 */
public record BudgetChange(
    @Nullable Setting monthly,
    @Nullable Setting overageCap,
    @Nullable Setting requestCap,
    @Nullable Setting dailyWarning) {

  /** A new value, in micro-USD; null: nothing. */
  public record Setting(@Nullable Long microUsd) {}
}
