package dev.askgateway.store;

import dev.askgateway.core.BudgetRefusal;
import dev.askgateway.core.GatewayError;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Refusals of holds, as the database's {@code hold_refusal} says them. */
final class BudgetRefusals {
  private static final Duration SOON = Duration.ofSeconds(1);

  private BudgetRefusals() {}

  /** @param detail JSON of one that is about money */
  static BudgetRefusal of(@Nullable String detail) {
    JsonObject said = new JsonObject(detail == null || detail.isEmpty() ? "{}" : detail);
    String until = said.getString("until");
    return new BudgetRefusal(
        BudgetRefusal.Reason.ofWire(
            said.getString("reason", BudgetRefusal.Reason.MONTHLY_ALLOWANCE.wire())),
        said.getBoolean("waitingHelps", false),
        until == null ? null : Instant.parse(until));
  }

  /** As many holds are open as an account may have. */
  static GatewayError tooManyOpen() {
    return new GatewayError(
            GatewayError.Code.RATE_LIMITED, "Too many requests of this account are running.")
        .retryAfter(SOON);
  }

  /** What the database answered to the question whether so much can be held; null: it can. */
  static @Nullable GatewayError error(@Nullable JsonObject refusal) {
    if (refusal == null) {
      return null;
    }
    return "open_holds".equals(refusal.getString("reason"))
        ? tooManyOpen()
        : GatewayError.budgetExhausted(of(refusal.encode()));
  }
}
