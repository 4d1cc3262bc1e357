package dev.askgateway.budget;

import dev.askgateway.core.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/**
 * Prices of one validity, as data: every usage row names the version it was computed with.
 *
 * @param version names this book in usage and ledger rows
 * @param models prices by "provider:model"; a model without an entry costs nothing
 */
public record PriceBook(String version, Map<String, Price> models) {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);

  /** Micro-USD for a million tokens of each bucket. */
  public record Price(long input, long cacheRead, long cacheWrite, long output) {
    public static final Price FREE = new Price(0, 0, 0, 0);

    public Price {
      if (input < 0 || cacheRead < 0 || cacheWrite < 0 || output < 0) {
        throw new IllegalArgumentException("a price is not below zero");
      }
    }
  }

  public PriceBook {
    models = Map.copyOf(models);
  }

  /** A book whose version is a digest of its prices: other prices, another version. */
  public static PriceBook of(Map<String, Price> models) {
    return new PriceBook(
        "book-" + Integer.toHexString(new java.util.TreeMap<>(models).toString().hashCode()),
        models);
  }

  /** The provider's price of a usage, in micro-USD: exact inside, rounded once, half-even. */
  public long costMicroUsd(String provider, String model, Usage usage) {
    Price price = price(provider, model);
    return rounded(
        exact(price.input(), usage.inputTokens())
            .add(exact(price.cacheRead(), usage.cacheReadTokens()))
            .add(exact(price.cacheWrite(), usage.cacheWriteTokens()))
            .add(exact(price.output(), usage.outputTokens())),
        RoundingMode.HALF_EVEN);
  }

  /** The most that a call with so many tokens can cost, rounded up: what is held before it. */
  public long worstCaseMicroUsd(
      String provider, String model, long inputTokens, long outputTokens) {
    Price price = price(provider, model);
    long dearestInput = Math.max(price.input(), price.cacheWrite());
    return rounded(
        exact(dearestInput, inputTokens).add(exact(price.output(), outputTokens)),
        RoundingMode.CEILING);
  }

  private Price price(String provider, String model) {
    return models.getOrDefault(provider + ":" + model, Price.FREE);
  }

  private static BigDecimal exact(long rate, long tokens) {
    return BigDecimal.valueOf(rate).multiply(BigDecimal.valueOf(tokens));
  }

  private static long rounded(BigDecimal microUsdMillions, RoundingMode mode) {
    // A provider may report any number: the bill has an end, the answer must come to its own.
    return microUsdMillions.divide(MILLION, 0, mode).min(MOST).longValueExact();
  }
}
