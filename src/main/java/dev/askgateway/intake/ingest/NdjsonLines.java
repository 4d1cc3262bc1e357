package dev.askgateway.intake.ingest;

import org.jspecify.annotations.Nullable;

/** Lines that end in LF or CRLF, the last one perhaps in nothing. Blank lines count but do not come out. */
final class NdjsonLines extends LineSplitter {
  private int number;
  private boolean blank = true;

  NdjsonLines(int maxLineBytes) {
    super(maxLineBytes);
  }

  @Override
  @Nullable
  RawLine scan(byte[] bytes, int from) {
    int start = from;
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] != '\n') {
        blank &= isSpace(bytes[i]);
        continue;
      }
      // The CR of a CRLF is no part of the line; a parser would skip it, the size limit would not.
      keep(bytes, start, i > start && bytes[i - 1] == '\r' ? i - 1 : i);
      start = i + 1;
      RawLine line = take(++number);
      boolean skipped = blank;
      blank = true;
      if (!skipped) {
        readTo(start);
        return line;
      }
    }
    keep(bytes, start, bytes.length);
    readTo(bytes.length);
    return null;
  }

  @Override
  @Nullable
  RawLine last() {
    RawLine line = blank ? null : take(++number);
    blank = true;
    return line;
  }
}
