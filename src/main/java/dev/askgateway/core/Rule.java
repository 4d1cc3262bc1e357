package dev.askgateway.core;

import java.time.Duration;

/**
 * What configuration records check in their constructors. A broken rule is an {@link
 * IllegalArgumentException} that says "key is value; it must be rule", the key in full. Secrets and
 * addresses with passwords are never handed in as values.
 */
public final class Rule {
  private Rule() {}

  public static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be " + rule);
    }
  }

  public static void range(String key, long value, long least, long most) {
    require(value >= least && value <= most, key, value, least + " to " + most);
  }

  /** Also refuses what is no number. */
  public static void range(String key, double value, double least, double most) {
    require(value >= least && value <= most, key, value, plain(least) + " to " + plain(most));
  }

  public static void range(String key, Duration value, Duration least, Duration most) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        text(value),
        text(least) + " to " + text(most));
  }

  /** A duration as people write it, in the largest unit that divides it: 250ms, 15s, 2m, 1h, 7d. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    String[] units = {"d", "h", "m", "s"};
    long[] sizes = {86_400_000, 3_600_000, 60_000, 1_000};
    for (int i = 0; i < units.length; i++) {
      if (millis % sizes[i] == 0) {
        return millis / sizes[i] + units[i];
      }
    }
    return millis + "ms";
  }

  private static String plain(double bound) {
    return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
  }
}
