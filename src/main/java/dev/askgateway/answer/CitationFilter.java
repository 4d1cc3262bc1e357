package dev.askgateway.answer;

import dev.askgateway.core.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lets a model's text through with valid citation marks only, whatever way it is cut into deltas.
 *
 * <p>Text from {@code [} on is held until it is a complete mark or can no longer be one, with the
 * blank before it, so that a mark that is dropped leaves no gap. Marks of several labels ({@code [S1,
 * S2]}) come out as one mark each. Half characters wait for their other half.
 */
final class CitationFilter {
  /** Longer than any mark that could be meant. */
  private static final int MAX_MARK = 40;

  private static final Pattern MARK =
      Pattern.compile("\\[\\s*S\\d{1,4}(\\s*[,;]?\\s*S\\d{1,4})*\\s*]", Pattern.CASE_INSENSITIVE);
  private static final Pattern LABEL = Pattern.compile("[Ss]\\d{1,4}");

  private final Set<String> labels;
  private final StringBuilder blanks = new StringBuilder();
  private final StringBuilder held = new StringBuilder();
  private List<Piece> pieces = new ArrayList<>();
  private StringBuilder text = new StringBuilder();
  private String half = "";
  private int dropped;

  /** A stretch of plain text, or a valid mark with its label. */
  record Piece(String text, boolean mark) {}

  CitationFilter(Set<String> labels) {
    this.labels = labels;
  }

  /** What can be shown after this delta. */
  List<Piece> accept(String delta) {
    String whole = half + delta;
    int end = whole.length();
    half = "";
    if (end > 0 && Character.isHighSurrogate(whole.charAt(end - 1))) {
      half = whole.substring(end - 1);
      end--;
    }
    take(SafeText.clean(whole.substring(0, end)));
    return drain();
  }

  /** What is left when the model is done: an unfinished mark is dropped, other text is not. */
  List<Piece> end() {
    take(SafeText.clean(half));
    half = "";
    if (LABEL.matcher(held).find()) {
      dropped++;
      held.setLength(0);
      blanks.setLength(0);
    }
    release();
    return drain();
  }

  /** Marks that named no source, so far. */
  int dropped() {
    return dropped;
  }

  private void take(String clean) {
    for (int i = 0; i < clean.length(); i++) {
      take(clean.charAt(i));
    }
  }

  private void take(char c) {
    if (held.isEmpty()) {
      plain(c);
      return;
    }
    if (!couldContinue(c) || held.length() >= MAX_MARK) {
      release();
      plain(c);
      return;
    }
    held.append(c);
    if (c == ']') {
      close();
    }
  }

  private void plain(char c) {
    if (c == '[') {
      held.append(c);
    } else if (c == ' ') {
      blanks.append(c);
    } else {
      text.append(blanks).append(c);
      blanks.setLength(0);
    }
  }

  private static boolean couldContinue(char c) {
    return c == 'S'
        || c == 's'
        || c == ' '
        || c == ','
        || c == ';'
        || c == ']'
        || (c >= '0' && c <= '9');
  }

  private void close() {
    if (!MARK.matcher(held).matches()) {
      release();
      return;
    }
    List<String> valid = new ArrayList<>();
    var matcher = LABEL.matcher(held);
    while (matcher.find()) {
      String label = matcher.group().toUpperCase(Locale.ROOT);
      if (labels.contains(label)) {
        valid.add(label);
      } else {
        dropped++;
      }
    }
    held.setLength(0);
    if (valid.isEmpty()) {
      blanks.setLength(0);
      return;
    }
    text.append(blanks);
    blanks.setLength(0);
    for (String label : valid) {
      flushText();
      pieces.add(new Piece(label, true));
    }
  }

  private void release() {
    text.append(blanks).append(held);
    blanks.setLength(0);
    held.setLength(0);
  }

  private void flushText() {
    if (!text.isEmpty()) {
      pieces.add(new Piece(text.toString(), false));
      text = new StringBuilder();
    }
  }

  private List<Piece> drain() {
    flushText();
    List<Piece> out = pieces;
    pieces = new ArrayList<>();
    return out;
  }
}
