package dev.askgateway.store;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What holds for accounts that say nothing else (spec G2). Money in micro-USD; null: no limit.
 *
 * @param monthlyMicroUsd the allowance of each month of a person who comes for the first time
 * @param requestCapMicroUsd most that one request may hold
 * @param dailyWarningMicroUsd what spent in a day (UTC) is told once; it keeps nobody from asking
 * @param openHolds most requests of a person that may be held for at a time; 0: any number
 */
public record BudgetPolicy(
    @Nullable Long monthlyMicroUsd,
    @Nullable Long requestCapMicroUsd,
    @Nullable Long dailyWarningMicroUsd,
    int openHolds) {

  /** No limits. */
  public static final BudgetPolicy NONE = new BudgetPolicy(null, null, null, 0);

  /** As the database's functions read it. */
  JsonObject json() {
    return new JsonObject()
        .put("monthlyMicroUsd", monthlyMicroUsd)
        .put("requestCapMicroUsd", requestCapMicroUsd)
        .put("dailyWarningMicroUsd", dailyWarningMicroUsd)
        .put("openHolds", openHolds);
  }
}
