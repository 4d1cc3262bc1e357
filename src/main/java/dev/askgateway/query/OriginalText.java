package dev.askgateway.query;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A question in folded letters whose every place leads back to the original, so that what a table finds
 * can be shown as it was written.
 */
final class OriginalText {
  private static final Pattern MARKS = Pattern.compile("\\p{Mn}+");

  private final String original;
  private final String folded;
  private final int[] starts;

  private OriginalText(String original, String folded, int[] starts) {
    this.original = original;
    this.folded = folded;
    this.starts = starts;
  }

  static OriginalText of(String question) {
    String composed = Normalizer.normalize(question, Normalizer.Form.NFC);
    StringBuilder folded = new StringBuilder();
    int[] starts = new int[composed.length() + 1];
    int[] all = starts;
    for (int at = 0; at < composed.length(); ) {
      int letter = composed.codePointAt(at);
      int next = at + Character.charCount(letter);
      String bare = bare(composed.substring(at, next));
      all = grown(all, folded.length() + bare.length() + 1);
      for (int i = 0; i < bare.length(); i++) {
        all[folded.length() + i] = at;
      }
      folded.append(bare);
      at = next;
    }
    all = grown(all, folded.length() + 1);
    all[folded.length()] = composed.length();
    return new OriginalText(composed, folded.toString(), all);
  }

  private static int[] grown(int[] places, int size) {
    return places.length >= size ? places : Arrays.copyOf(places, size * 2);
  }

  private static String bare(String letter) {
    char first = letter.charAt(0);
    if (first < 128) {
      return first <= ' ' ? " " : String.valueOf(Character.toLowerCase(first));
    }
    String plain =
        MARKS.matcher(Normalizer.normalize(letter, Normalizer.Form.NFD)).replaceAll("");
    if (plain.equals("\u2019")) {
      return "'";
    }
    return plain.isBlank() && !plain.isEmpty() ? " " : plain.toLowerCase(Locale.ROOT);
  }

  String folded() {
    return folded;
  }

  /** What the question has between two places of the folded text. */
  String original(int start, int end) {
    return original.substring(starts[start], starts[end]).strip();
  }
}
