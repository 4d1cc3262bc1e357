package dev.askgateway.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How values are shown: secrets as stars, addresses without their passwords. */
public final class Redaction {
  static final String STARS = "***";

  // Up to the last @: a password that was not encoded may hold / : and @ itself.
  private static final Pattern LOGIN =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://)(?:([^:/@]*):)?(.*)@([^@]*)");
  private static final Pattern QUERY_SECRET = Pattern.compile(
      "([?&][^=&]*(?:password|passwd|secret|token|key|sig)[^=&]*=)[^&#]*",
      Pattern.CASE_INSENSITIVE);

  private Redaction() {}

  /** Whether no part of the key's value may be shown. */
  static boolean isSecret(String key) {
    String name = key.substring(key.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return name.endsWith("secret")
        || name.endsWith("apikey")
        || name.endsWith("password")
        || name.endsWith("token")
        || name.equals("keys")
        || key.equals("tracing.headers");
  }

  /** The value as it may be printed. An empty one is shown as "", so that a missing one is seen. */
  public static String shown(String key, String value) {
    if (value.isEmpty()) {
      return "\"\"";
    }
    if (isSecret(key)) {
      return STARS;
    }
    boolean address = key.toLowerCase(Locale.ROOT).endsWith("url");
    return address && !value.contains("://") ? STARS : address(value);
  }

  /** Any text with the logins of the addresses in it made stars; one address a word. */
  public static String address(String text) {
    StringBuilder shown = new StringBuilder();
    for (String word : text.split("(?<=\\s)|(?=\\s)", -1)) {
      shown.append(word.contains("://") ? word(word) : word);
    }
    return shown.toString();
  }

  private static String word(String word) {
    int start = schemeStart(word);
    Matcher login = LOGIN.matcher(word.substring(start));
    String shown = word.substring(start);
    if (login.matches()) {
      String user = login.group(2) == null ? "" : login.group(2) + ":";
      shown = login.group(1) + user + STARS + "@" + login.group(4);
    }
    return word.substring(0, start) + QUERY_SECRET.matcher(shown).replaceAll("$1" + STARS);
  }

  private static int schemeStart(String word) {
    int at = word.indexOf("://");
    while (at > 0 && isSchemeChar(word.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean isSchemeChar(char c) {
    return c < 128 && (Character.isLetterOrDigit(c) || c == '+' || c == '.' || c == '-');
  }
}
