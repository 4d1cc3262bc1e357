package dev.askgateway.intake.ingest;

import org.jspecify.annotations.Nullable;

/**
 * The elements of one JSON array, cut at the commas of its own level. It knows strings and brackets
 * and no more: whether an element is sound JSON is found out when it is parsed, alone.
 */
final class ArrayElements extends LineSplitter {
  private enum At {
    BEFORE,
    INSIDE,
    AFTER,
    BROKEN
  }

  private At at = At.BEFORE;
  private int number;
  private int depth;
  private boolean quoted;
  private boolean escaped;

  ArrayElements(int maxLineBytes) {
    super(maxLineBytes);
  }

  @Override
  @Nullable
  RawLine scan(byte[] bytes, int from) {
    int start = from;
    for (int i = from; i < bytes.length; i++) {
      byte b = bytes[i];
      if (at != At.INSIDE) {
        start = i + 1;
        if (isSpace(b) || at == At.BROKEN) {
          continue;
        }
        if (at == At.AFTER || b != '[') {
          readTo(bytes.length);
          return broken();
        }
        at = At.INSIDE;
      } else if (keptNothing() && start == i && isSpace(b)) {
        start = i + 1; // in front of an element
      } else if (closesElement(b)) {
        keep(bytes, start, i);
        at = b == ']' ? At.AFTER : At.INSIDE;
        start = i + 1;
        if (b == ',' || number > 0 || !keptNothing()) { // anything but []
          readTo(start);
          return take(++number);
        }
      }
    }
    keep(bytes, start, bytes.length);
    readTo(bytes.length);
    return null;
  }

  /** Follows strings and brackets; true at a comma or bracket of the array itself. */
  private boolean closesElement(byte b) {
    if (quoted) {
      quoted = escaped || b != '"';
      escaped = !escaped && b == '\\';
      return false;
    }
    switch (b) {
      case '"' -> quoted = true;
      case '[', '{' -> depth++;
      case ']', '}' -> {
        if (depth == 0) {
          return b == ']';
        }
        depth--;
      }
      default -> {
        return b == ',' && depth == 0;
      }
    }
    return false;
  }

  @Override
  @Nullable
  RawLine last() {
    return at == At.INSIDE ? broken() : null;
  }

  private RawLine broken() {
    at = At.BROKEN;
    take(number);
    return RawLine.broken(number + 1);
  }
}
