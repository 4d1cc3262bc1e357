package dev.askgateway.provider.openai;

/** How deep a JSON text that comes in pieces has got, without keeping it. */
final class JsonDepth {
  private int depth;
  private boolean begun;
  private boolean inString;
  private boolean escaped;

  void read(String piece) {
    for (int i = 0; i < piece.length(); i++) {
      char c = piece.charAt(i);
      if (inString) {
        inString = escaped || c != '"';
        escaped = !escaped && c == '\\';
      } else {
        outside(c);
      }
    }
  }

  private void outside(char c) {
    switch (c) {
      case '"' -> inString = true;
      case '{', '[' -> {
        depth++;
        begun = true;
      }
      case '}', ']' -> depth--;
      default -> {}
    }
  }

  /** Whether it has begun and everything open is closed: it may be whole, or not. */
  boolean isClosed() {
    return begun && depth <= 0 && !inString;
  }

  /** Whether it has begun and surely is not whole. */
  boolean isOpen() {
    return begun && !isClosed();
  }
}
