package dev.askgateway.relay.edge;

import java.util.HashMap;
import java.util.Map;

/**
 * Joins surrogate pairs that a model cut in two: the first half waits for the next piece of the same
 * text, since no chunk can hold it alone.
 */
final class Halves {
  private final Map<Integer, Character> waiting = new HashMap<>();

  /** The piece with the half before it and without the half at its end. */
  String join(int text, String piece) {
    if (piece.isEmpty()) {
      return piece;
    }
    Character before = waiting.isEmpty() ? null : waiting.remove(text);
    char last = piece.charAt(piece.length() - 1);
    if (before == null && !Character.isHighSurrogate(last)) {
      return piece;
    }
    String joined = before == null ? piece : before + piece;
    if (!Character.isHighSurrogate(last)) {
      return joined;
    }
    waiting.put(text, last);
    return joined.substring(0, joined.length() - 1);
  }

  /** The half whose other never came, or "". */
  String rest(int text) {
    Character half = waiting.remove(text);
    return half == null ? "" : half.toString();
  }
}
