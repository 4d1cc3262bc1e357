package dev.askgateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Set;

/** What the section records check. A broken rule says key, value and rule, in this order. */
final class Rule {
  private static final Duration LONGEST = Duration.ofDays(365);

  private Rule() {}

  static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          key + " is " + Redaction.shown(key, String.valueOf(value)) + "; it must be " + rule);
    }
  }

  static void range(String key, long value, long least, long most) {
    require(value >= least && value <= most, key, value, least + " to " + most);
  }

  static void share(String key, double value) {
    require(value >= 0 && value <= 1, key, value, "0 to 1");
  }

  /** More than nothing, at most a year. */
  static void positive(String key, Duration value) {
    require(
        value.compareTo(Duration.ZERO) > 0 && value.compareTo(LONGEST) <= 0,
        key,
        Durations.text(value),
        "more than 0s, at most 365d");
  }

  /** Nothing or more, at most a year. */
  static void notNegative(String key, Duration value) {
    require(
        !value.isNegative() && value.compareTo(LONGEST) <= 0,
        key,
        Durations.text(value),
        "0s to 365d");
  }

  /** An absolute URL with a host and one of the schemes. */
  static void url(String key, String value, Set<String> schemes) {
    require(isUrl(value, schemes), key, value, "a URL that starts with " + schemeList(schemes));
  }

  private static boolean isUrl(String value, Set<String> schemes) {
    try {
      URI uri = new URI(value);
      return uri.getScheme() != null && schemes.contains(uri.getScheme()) && uri.getHost() != null;
    } catch (URISyntaxException notAUrl) {
      return false;
    }
  }

  private static String schemeList(Set<String> schemes) {
    return String.join(" or ", schemes.stream().sorted().map(s -> s + "://").toList());
  }
}
