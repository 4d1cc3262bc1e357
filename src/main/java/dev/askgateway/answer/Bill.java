package dev.askgateway.answer;

import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;

/**
 * What an answer cost and who pays (docs/decisions/0008): the person pays for an answer of which text
 * was shown, and for what they stopped; all else is the operator's. Money in micro-USD.
 *
 * @param provider who gave the answer, or was asked last; "none" when nobody was
 * @param usage the tokens of that one call
 * @param costMicroUsd the provider's price of them
 * @param billableMicroUsd what of it the person pays, before the hold's bound
 * @param failedAttempts models that were tried and gave no text
 * @param failedCostMicroUsd what those cost, on top
 */
public record Bill(
    String provider,
    String model,
    Usage usage,
    long costMicroUsd,
    long billableMicroUsd,
    int failedAttempts,
    long failedCostMicroUsd) {

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
    return new Bill(call.provider(), call.model(), usage, cost, pays ? cost : 0, 0, 0);
  }

  /** The same with what the others cost. */
  public Bill withFailed(int attempts, long costMicroUsd) {
    return new Bill(
        provider, model, usage, this.costMicroUsd, billableMicroUsd, attempts, costMicroUsd);
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
