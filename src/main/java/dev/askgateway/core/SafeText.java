package dev.askgateway.core;

/**
 * The one place that makes text storable: PostgreSQL holds no NUL, UTF-8 holds no lone surrogate.
 *
 * <p>NUL is dropped; a surrogate without its half becomes U+FFFD.
 */
public final class SafeText {
  private SafeText() {}

  /** Whether the text needs no repair. */
  public static boolean isWellFormed(String text) {
    return firstFault(text) < 0;
  }

  /** The text without NUL characters and lone surrogates; the same instance when it had none. */
  public static String clean(String text) {
    int fault = firstFault(text);
    if (fault < 0) {
      return text;
    }
    StringBuilder clean = new StringBuilder(text.length()).append(text, 0, fault);
    for (int i = fault; i < text.length(); i++) {
      char c = text.charAt(i);
      if (pairAt(text, i)) {
        clean.append(c).append(text.charAt(++i));
      } else if (Character.isSurrogate(c)) {
        clean.append('\uFFFD');
      } else if (c != 0) {
        clean.append(c);
      }
    }
    return clean.toString();
  }

  private static int firstFault(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (pairAt(text, i)) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean pairAt(String text, int i) {
    return i + 1 < text.length()
        && Character.isHighSurrogate(text.charAt(i))
        && Character.isLowSurrogate(text.charAt(i + 1));
  }
}
