package dev.askgateway.answer;

import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an answer cost and who pays (docs/decisions/0008): the person pays for an answer of which text
 * was shown, and for what they stopped; all else is the operator's. Money in micro-USD.
 *
 * @param provider who gave the answer, or was asked last; "none" when nobody was
 * @param usage the tokens of that one call
 * @param costMicroUsd the provider's price of them
 * @param billableMicroUsd what the person pays of it and of its further steps, before the hold's bound
 * @param failedAttempts models that were tried and gave no text
 * @param lost those of them that used tokens: who failed, then who was stopped
 * @param steps its further steps that used tokens
 */
public record Bill(
    String provider,
    String model,
    Usage usage,
    long costMicroUsd,
    long billableMicroUsd,
    int failedAttempts,
    List<Lost> lost,
    List<Step> steps) {

  /** What a call was made for that is a part of the answer, and no answer of its own. */
  public enum Purpose {
    /** The question's plan (decision 26). */
    PLANNER,
    /** The question's vector. */
    EMBEDDING;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Such a call. */
  public record Step(Purpose purpose, Lost call) {}

  /** What a call costs by one book of prices. */
  public interface Prices {
    long costMicroUsd(String provider, String model, Usage usage);
  }

  /** The bill of one call. */
  public static Bill of(Prices prices, Call call, TurnState state, boolean textShown) {
    Usage usage = call.usage().capped();
    long cost = prices.costMicroUsd(call.provider(), call.model(), usage);
    long pays = pays(state, textShown) ? cost : 0;
    return new Bill(call.provider(), call.model(), usage, cost, pays, 0, List.of(), List.of());
  }

  /** Whether the person pays at all. */
  public static boolean pays(TurnState state, boolean textShown) {
    return textShown || state == TurnState.CANCELLED;
  }

  /**
   * The same with a further step, which is a part of the answer: whoever pays for that pays for it, also
   * when it was of no use. One that used nothing is left out.
   */
  public Bill with(Prices prices, Purpose purpose, Call call, boolean pays) {
    Lost used = lost(prices, call);
    if (used.call().usage().tokens() == 0) {
      return this;
    }
    List<Step> all = new ArrayList<>(steps);
    all.add(new Step(purpose, used));
    long more = pays ? used.costMicroUsd() : 0;
    return new Bill(
        provider,
        model,
        usage,
        costMicroUsd,
        billableMicroUsd + more,
        failedAttempts,
        lost,
        List.copyOf(all));
  }

  /** The same with the calls that gave nothing, by the same book. */
  public Bill withFailed(Prices prices, List<Call> failed) {
    List<Lost> used = failed.stream()
        .map(call -> lost(prices, call))
        .filter(call -> call.call().usage().tokens() > 0)
        .toList();
    return new Bill(
        provider, model, usage, costMicroUsd, billableMicroUsd, failed.size(), used, steps);
  }

  private static Lost lost(Prices prices, Call call) {
    Call bounded = new Call(call.provider(), call.model(), call.usage().capped());
    return new Lost(
        bounded, prices.costMicroUsd(bounded.provider(), bounded.model(), bounded.usage()));
  }

  /** The provider's price of all its calls. */
  long wholeCostMicroUsd() {
    return costMicroUsd + otherCostMicroUsd();
  }

  /** What the other calls cost, on top: each by its own rounding. */
  private long otherCostMicroUsd() {
    return lost.stream().mapToLong(Lost::costMicroUsd).sum()
        + steps.stream().mapToLong(step -> step.call().costMicroUsd()).sum();
  }

  /** As the database's function of an end reads it: without {@code attempts} when no other used anything. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject()
        .put("provider", provider)
        .put("model", model)
        .put("billingSource", BillingSource.of(provider).wire())
        .put("usage", usage.toJson())
        .put("costMicroUsd", costMicroUsd)
        .put("billableMicroUsd", billableMicroUsd)
        .put("failedAttempts", failedAttempts)
        .put("failedCostMicroUsd", otherCostMicroUsd());
    JsonArray others =
        new JsonArray(new ArrayList<>(lost.stream().map(Lost::toJson).toList()));
    steps.forEach(
        step -> others.add(step.call().toJson().put("purpose", step.purpose().wire())));
    return others.isEmpty() ? json : json.put("attempts", others);
  }

  /** A call beside the one of the row, that used tokens. Money in micro-USD. */
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
}
