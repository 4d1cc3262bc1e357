package dev.askgateway.intake.limit;

import dev.askgateway.budget.limit.Verdict;

/** Hears of each request that was refused because there were too many. */
@FunctionalInterface
public interface LimitListener {
  /** For who does not want to know. */
  LimitListener NONE = (scope, reason) -> {};

  void limited(Scope scope, Verdict.Outcome reason);
}
