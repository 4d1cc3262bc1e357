package dev.askgateway.answer;

import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What an answer cost and who pays (docs/decisions/0008): the person pays for an answer of which text
 * was shown, and for what they stopped; all else is the operator's. Money in micro-USD.
 *
 * @param provider who gave the answer, or was asked last; "none" when nobody was
 * @param usage the tokens of that one call
 * @param costMicroUsd the provider's price of them
 * @param billableMicroUsd what of it the person pays, before the hold's bound
 * @param failedAttempts models that were tried and gave no text
 * @param lost those of them that used tokens: who failed, then who was stopped
 */
public record Bill(
    String provider,
    String model,
    Usage usage,
    long costMicroUsd,
    long billableMicroUsd,
    int failedAttempts,
    List<Lost> lost) {

  /** More tokens than any model has; what a provider reports above it is a fault of its own. */
  private static final long MOST_TOKENS = 1_000_000_000;

  /** What a call costs by one book of prices. */
  public interface Prices {
    long costMicroUsd(String provider, String model, Usage usage);
  }

  /** The bill of one call. */
  public static Bill of(Prices prices, Call call, TurnState state, boolean textShown) {
    Usage usage = capped(call.usage());
    long cost = prices.costMicroUsd(call.provider(), call.model(), usage);
    boolean pays = textShown || state == TurnState.CANCELLED;
    return new Bill(call.provider(), call.model(), usage, cost, pays ? cost : 0, 0, List.of());
  }

  /** The same with the calls that gave nothing, by the same book. */
  public Bill withFailed(Prices prices, List<Call> failed) {
    List<Lost> used = failed.stream()
        .map(call -> new Call(call.provider(), call.model(), capped(call.usage())))
        .filter(call -> call.usage().tokens() > 0)
        .map(call ->
            new Lost(call, prices.costMicroUsd(call.provider(), call.model(), call.usage())))
        .toList();
    return new Bill(provider, model, usage, costMicroUsd, billableMicroUsd, failed.size(), used);
  }

  /** What the calls that gave nothing cost, on top: each by its own rounding. */
  public long failedCostMicroUsd() {
    return lost.stream().mapToLong(Lost::costMicroUsd).sum();
  }

  /** As the database's function of an end reads it: without {@code attempts} when none used anything. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject()
        .put("provider", provider)
        .put("model", model)
        .put("billingSource", BillingSource.of(provider).wire())
        .put("usage", usage.toJson())
        .put("costMicroUsd", costMicroUsd)
        .put("billableMicroUsd", billableMicroUsd)
        .put("failedAttempts", failedAttempts)
        .put("failedCostMicroUsd", failedCostMicroUsd());
    return lost.isEmpty()
        ? json
        : json.put("attempts", new JsonArray(lost.stream().map(Lost::toJson).toList()));
  }

  /** A call that gave nothing and was used all the same. Money in micro-USD. */
  public record Lost(Call call, long costMicroUsd) {
    JsonObject toJson() {
      return call.usage()
          .toJson()
          .put("provider", call.provider())
          .put("model", call.model())
          .put("costMicroUsd", costMicroUsd);
    }
  }

  /** One model's call, as far as it got. */
  public record Call(String provider, String model, Usage usage) {
    public static final Call NONE = new Call("none", "none", Usage.NONE);
  }

  private static Usage capped(Usage usage) {
    return new Usage(
        Math.min(usage.inputTokens(), MOST_TOKENS),
        Math.min(usage.cacheReadTokens(), MOST_TOKENS),
        Math.min(usage.cacheWriteTokens(), MOST_TOKENS),
        Math.min(usage.outputTokens(), MOST_TOKENS),
        Math.min(usage.reasoningTokens(), MOST_TOKENS),
        usage.estimated());
  }
}
