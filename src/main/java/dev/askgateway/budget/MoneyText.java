package dev.askgateway.budget;

import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** An amount as people write it, US dollars: "5.00" is 5,000,000 micro-USD. */
public final class MoneyText {
  /** What an amount must be, for messages. */
  public static final String RULE =
      "US dollars, \"0\" to \"1000000\", with at most six decimals, or empty";

  private static final Pattern PLAIN = Pattern.compile("(0|[1-9][0-9]{0,6})(\\.[0-9]{1,6})?");
  private static final int DECIMALS = 6;
  private static final long MOST = 1_000_000_000_000L;

  private MoneyText() {}

  /** Whole micro-USD; empty for what is no plain decimal or more than anybody means. */
  public static OptionalLong parse(String text) {
    if (!PLAIN.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    long amount = new BigDecimal(text).movePointRight(DECIMALS).longValueExact();
    return amount > MOST ? OptionalLong.empty() : OptionalLong.of(amount);
  }
}
