package dev.askgateway.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: a whole number and a unit, {@code 250ms 15s 2m 1h 7d}. */
public final class Durations {
  // Nine digits of days are still far from overflowing a Duration.
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private Durations() {}

  /** The duration, or nothing when the text is not one. */
  public static Optional<Duration> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(form.group(1));
    return Optional.of(
        switch (form.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        });
  }
}
