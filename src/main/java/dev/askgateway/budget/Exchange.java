package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.regex.Pattern;

/**
 * A payment in any currency and what it is worth here. Exact inside and cut to whole micro-USD, never
 * above what was paid; the ledger holds it against the same formula.
 *
 * @param amount in the currency's own unit: rupees, not paise
 * @param currency three letters, ISO 4217
 * @param rate units of the currency for one US dollar, on the day of the payment
 * @param markup the rate times this is what a dollar of credits costs; 1: no more than the rate
 */
public record Exchange(BigDecimal amount, String currency, BigDecimal rate, BigDecimal markup) {
  private static final BigDecimal MOST_AMOUNT = BigDecimal.valueOf(1_000_000_000);
  private static final BigDecimal MOST_RATE = BigDecimal.valueOf(10_000_000);
  private static final BigDecimal MOST_MARKUP = BigDecimal.TEN;
  private static final int MICRO = 6;
  private static final Pattern LETTERS = Pattern.compile("[A-Z]{3}");

  public Exchange {
    Rule.require(
        LETTERS.matcher(currency).matches() && isKnown(currency),
        "currency",
        currency,
        "a code of ISO 4217 such as INR");
    int decimals = Math.max(0, Currency.getInstance(currency).getDefaultFractionDigits());
    number("amount", amount, MOST_AMOUNT, decimals);
    number("rate", rate, MOST_RATE, MICRO);
    number("markup", markup, MOST_MARKUP, MICRO);
    Rule.require(markup.compareTo(BigDecimal.ONE) >= 0, "markup", markup, "at least 1");
  }

  private static boolean isKnown(String currency) {
    return Currency.getAvailableCurrencies().stream()
        .anyMatch(one -> one.getCurrencyCode().equals(currency));
  }

  private static void number(String name, BigDecimal value, BigDecimal most, int decimals) {
    boolean fits = value.signum() > 0
        && value.compareTo(most) <= 0
        && value.stripTrailingZeros().scale() <= decimals;
    Rule.require(
        fits,
        name,
        value.toPlainString(),
        "above 0, at most " + most.toPlainString() + ", with at most " + decimals + " decimals");
  }

  /** What the payment is worth at the rate, in micro-USD. */
  public long paidMicroUsd() {
    return microUsd(rate);
  }

  /** The credits that it buys, in micro-USD. */
  public long creditsMicroUsd() {
    return microUsd(rate.multiply(markup));
  }

  /** What lies between both: the markup, and what was cut off. */
  public long differenceMicroUsd() {
    return paidMicroUsd() - creditsMicroUsd();
  }

  private long microUsd(BigDecimal unitsForOne) {
    return amount
        .movePointRight(MICRO)
        .divide(unitsForOne, 0, RoundingMode.DOWN)
        .longValueExact();
  }
}
