package dev.askgateway.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as people write them. Nothing comes back for what is not one or does not fit. */
final class Numbers {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})(KiB|MiB|GiB)?");
  private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,15}(\\.\\d{1,15})?");

  private Numbers() {}

  static Optional<Long> whole(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException notOne) {
      return Optional.empty();
    }
  }

  static Optional<Double> decimal(String text) {
    String number = text.strip();
    return DECIMAL.matcher(number).matches()
        ? Optional.of(Double.parseDouble(number))
        : Optional.empty();
  }

  static Optional<Long> bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return Optional.empty();
    }
    String unit = size.group(2) == null ? "" : size.group(2);
    int shift =
        switch (unit) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
    long amount = Long.parseLong(size.group(1));
    return amount > Long.MAX_VALUE >> shift ? Optional.empty() : Optional.of(amount << shift);
  }
}
