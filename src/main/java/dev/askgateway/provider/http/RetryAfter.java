package dev.askgateway.provider.http;

import io.vertx.core.MultiMap;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how long upstream asks us to wait, in every form seen: seconds, fractions, dates, garbage. */
public final class RetryAfter {
  /** Longest wait that is passed on. */
  public static final Duration MOST = Duration.ofSeconds(60);

  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d*)?");

  private RetryAfter() {}

  /**
   * The wait, 0 to 60 s, or null when there is none to be understood. {@code retry-after-ms} wins;
   * of several values the first that can be read counts.
   */
  public static @Nullable Duration of(MultiMap headers, Instant now) {
    for (String millis : headers.getAll("retry-after-ms")) {
      Duration wait = number(millis.strip(), 1);
      if (wait != null) {
        return wait;
      }
    }
    for (String value : headers.getAll("retry-after")) {
      Duration seconds = number(value.strip(), 1_000);
      Duration wait = seconds == null ? date(value.strip(), now) : seconds;
      if (wait != null) {
        return wait;
      }
    }
    return null;
  }

  private static @Nullable Duration number(String text, int unitMillis) {
    if (text.length() > 64 || !NUMBER.matcher(text).matches()) {
      return null;
    }
    double millis = Double.parseDouble(text) * unitMillis;
    return millis >= MOST.toMillis() ? MOST : Duration.ofMillis((long) Math.ceil(millis));
  }

  private static @Nullable Duration date(String text, Instant now) {
    try {
      Instant then =
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      if (then.isBefore(now)) {
        return Duration.ZERO;
      }
      Duration wait = Duration.between(now, then);
      return wait.compareTo(MOST) > 0 ? MOST : wait;
    } catch (DateTimeException notADate) {
      return null;
    }
  }
}
