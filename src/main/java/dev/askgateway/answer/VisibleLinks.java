package dev.askgateway.answer;

/**
 * Breaks up what would hide an address behind words, or load it unasked, once a client shows the answer
 * as Markdown: links, images, definitions of links, tags. A blank between its parts is enough; the
 * address stays, for everybody to see. A message may have told the model where to send what it read
 * (spec E17, J3), and an image is fetched without anybody's click.
 */
final class VisibleLinks {
  private char last = '\n';
  private boolean afterMark;
  private boolean lineBegun;

  /** The text that can be shown, after all that came before it. */
  String text(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (joins(c)) {
        shown.append(' ');
      }
      shown.append(c);
      last = c;
      lineBegun = c != '\n' && (lineBegun || c != ' ');
      afterMark = false;
    }
    return shown.toString();
  }

  /** A source mark is shown. */
  void mark() {
    last = ']';
    afterMark = lineBegun;
    lineBegun = true;
  }

  private boolean joins(char c) {
    return switch (last) {
      // A colon makes a definition of the mark only where the line begins with it.
      case ']' -> c == '(' || (c == ':' && !afterMark);
      case '<' -> Character.isLetter(c) || c == '/' || c == '!' || c == '?';
      default -> false;
    };
  }
}
