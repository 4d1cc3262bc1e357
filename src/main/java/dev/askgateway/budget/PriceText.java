package dev.askgateway.budget;

import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** A price as people write it, US dollars for a million tokens: "0.05" is 50,000 micro-USD. */
public final class PriceText {
  /** What a price must be, for messages. */
  public static final String RULE =
      "US dollars for a million tokens, \"0\" to \"10000\", with at most six decimals, in quotes";

  private static final Pattern PLAIN = Pattern.compile("(0|[1-9][0-9]{0,4})(\\.[0-9]{1,6})?");
  private static final int DECIMALS = 6;

  private PriceText() {}

  /** Whole micro-USD for a million tokens; empty for what is no plain decimal or absurd. */
  public static OptionalLong parse(String text) {
    if (!PLAIN.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    long rate = new BigDecimal(text).movePointRight(DECIMALS).longValueExact();
    return rate > PriceBook.MOST_PRICE ? OptionalLong.empty() : OptionalLong.of(rate);
  }

  /** The same price as text, without zeros that say nothing. */
  public static String of(long rate) {
    BigDecimal dollars = BigDecimal.valueOf(rate, DECIMALS).stripTrailingZeros();
    return dollars.toPlainString();
  }
}
