package dev.askgateway.cli;

import dev.askgateway.budget.MoneyText;
import java.math.BigDecimal;
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

  static Dollars parse(String text) {
    if (text.equals(NONE)) {
      return new Dollars(null);
    }
    return new Dollars(
        MoneyText.parse(text)
            .orElseThrow(
                () -> new TypeConversionException(
                    "it must be US dollars, at most 1000000 with at most six decimals, such as 1.5, or none")));
  }

  /** The amount without zeros that say nothing; none for null. */
  static String text(@Nullable Long microUsd) {
    return microUsd == null
        ? NONE
        : BigDecimal.valueOf(microUsd, DECIMALS).stripTrailingZeros().toPlainString();
  }
}
