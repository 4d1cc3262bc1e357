package dev.askgateway.budget;

import dev.askgateway.core.Rule;
import dev.askgateway.core.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prices of one validity, as data: every usage row names the book it was computed with, so that any
 * past bill can be computed again.
 *
 * @param id names the line of books, "2026-list": letters, digits, dots, dashes
 * @param validFrom the first day of these prices
 * @param models prices by "provider:model"; a model without an entry costs nothing
 */
public record PriceBook(String id, LocalDate validFrom, Map<String, Price> models) {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000L);
  /** 10,000 USD for a million tokens: more is a slip of the pen. */
  private static final long MOST_PRICE = 10_000_000_000L;

  /** Micro-USD for a million tokens of each bucket. */
  public record Price(long input, long cacheRead, long cacheWrite, long output) {
    public static final Price FREE = new Price(0, 0, 0, 0);

    /** Checks the numbers under their keys: {@code models.NAME.price.input} and so on. */
    public Price check(String key) {
      Rule.range(key + ".input", input, 0, MOST_PRICE);
      Rule.range(key + ".cacheRead", cacheRead, 0, MOST_PRICE);
      Rule.range(key + ".cacheWrite", cacheWrite, 0, MOST_PRICE);
      Rule.range(key + ".output", output, 0, MOST_PRICE);
      return this;
    }
  }

  public PriceBook {
    Rule.require(
        id.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,39}"),
        "prices.id",
        id,
        "letters, digits, dots and dashes, at most 40");
    models = Map.copyOf(models);
    models.forEach((model, price) -> price.check(model));
  }

  /** SHA-256 of id, day and prices, hexadecimal: other content, another hash, on any machine. */
  public String hash() {
    StringBuilder content = new StringBuilder("1\n").append(id).append('\n').append(validFrom);
    new TreeMap<>(models).forEach((model, price) -> content
        .append('\n')
        .append(model)
        .append('\t')
        .append(price.input())
        .append('\t')
        .append(price.cacheRead())
        .append('\t')
        .append(price.cacheWrite())
        .append('\t')
        .append(price.output()));
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256")
          .digest(content.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** What usage and ledger rows name: id, day and the beginning of the hash. */
  public String version() {
    return id + "@" + validFrom + "#" + hash().substring(0, 16);
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
