package dev.askgateway.answer;

import dev.askgateway.core.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets a model's text through with valid citation marks only, whatever way it is cut into deltas.
 *
 * <p>Text from {@code [} on is held until it is a complete mark or can no longer be one, with the
 * blank before it, so that a mark that is dropped leaves no gap. Marks of several labels ({@code [S1,
 * S2]}) come out as one mark each. What only looks like a mark is read as one ({@link Lookalikes}), and
 * what is left around a dropped mark does not close up to another. Half characters wait for their other
 * half.
 */
final class CitationFilter {
  /** Longer than any mark that could be meant. */
  private static final int MAX_MARK = 40;

  private static final String BETWEEN = " ,;&/+-";
  private static final Pattern MARK =
      Pattern.compile("\\[ ?S ?\\d+(?:[" + BETWEEN + "]*S? ?\\d+)*[ ,;]*]");
  private static final Pattern LABEL = Pattern.compile("\\d+");
  private static final Pattern BEGUN = Pattern.compile("S ?\\d");

  private final Set<String> labels;
  private final StringBuilder blanks = new StringBuilder();
  /** As the model wrote it, and not shown yet. */
  private final StringBuilder held = new StringBuilder();
  /** What it is read as since its bracket; shorter than {@link #held} or longer, by {@link #open}. */
  private final StringBuilder read = new StringBuilder();
  /** What is shown since a bracket that nothing has closed, while a mark could still come of it. */
  private String open = "";

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
    if (BEGUN.matcher(read).find()) {
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
    char like = Lookalikes.of(c);
    if (read.isEmpty()) {
      plain(c, like);
    } else if (!couldContinue(like) || read.length() >= MAX_MARK) {
      String left = read.toString();
      release();
      open = like == '[' ? left : "";
      plain(c, like);
    } else if (like != Lookalikes.NOTHING
        && !(like == ' ' && read.charAt(read.length() - 1) == ' ')) {
      held.append(c);
      read.append(like);
      if (like == ']') {
        close();
      }
    }
  }

  private void plain(char c, char like) {
    if (like == '[') {
      held.append(c);
      read.append(like);
    } else if (c == ' ') {
      blanks.append(c);
    } else {
      text.append(blanks).append(c);
      blanks.setLength(0);
    }
  }

  private static boolean couldContinue(char like) {
    return like == Lookalikes.NOTHING
        || like == 'S'
        || like == ']'
        || (like >= '0' && like <= '9')
        || BETWEEN.indexOf(like) >= 0;
  }

  private void close() {
    if (!MARK.matcher(read).matches()) {
      release();
      return;
    }
    List<String> valid = new ArrayList<>();
    if (Lookalikes.of(held.charAt(0)) == '[') {
      validInto(valid);
    } else {
      dropped++; // its beginning is shown already: nothing that a model means
    }
    held.setLength(0);
    read.setLength(0);
    if (valid.isEmpty()) {
      blanks.setLength(0);
      read.append(open);
      return;
    }
    open = "";
    text.append(blanks);
    blanks.setLength(0);
    for (String label : valid) {
      flushText();
      pieces.add(new Piece(label, true));
    }
  }

  private void validInto(List<String> valid) {
    Matcher number = LABEL.matcher(read);
    while (number.find()) {
      String label = "S" + number.group();
      if (labels.contains(label)) {
        valid.add(label);
      } else {
        dropped++;
      }
    }
  }

  private void release() {
    text.append(blanks).append(held);
    blanks.setLength(0);
    held.setLength(0);
    read.setLength(0);
    open = "";
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
