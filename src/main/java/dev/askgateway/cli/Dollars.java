package dev.askgateway.cli;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * US dollars as people write them, "1.5", or {@code none}.
 *
 * @param microUsd null: none
 */
record Dollars(@Nullable Long microUsd) {
  private static final String NONE = "none";
  private static final int DECIMALS = 6;

  /** At most a million less a millionth. */
  private static final Pattern PLAIN = Pattern.compile("(0|[1-9][0-9]{0,5})(\\.[0-9]{1,6})?");

  static Dollars parse(String text) {
    if (text.equals(NONE)) {
      return new Dollars(null);
    }
    if (!PLAIN.matcher(text).matches()) {
      throw new TypeConversionException(
          "it must be US dollars below 1000000 with at most six decimals, such as 1.5, or none");
    }
    return new Dollars(new BigDecimal(text).movePointRight(DECIMALS).longValueExact());
  }

  /** The amount without zeros that say nothing; none for null. */
  static String text(@Nullable Long microUsd) {
    return microUsd == null
        ? NONE
        : BigDecimal.valueOf(microUsd, DECIMALS).stripTrailingZeros().toPlainString();
  }
}
