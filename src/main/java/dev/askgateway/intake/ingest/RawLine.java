package dev.askgateway.intake.ingest;

import io.vertx.core.buffer.Buffer;

/**
 * One line of the body before anybody looked into it.
 *
 * @param number 1-based: the line of the body, or the element of the array
 * @param kind what was found there
 * @param bytes the line without its end; empty unless it is a {@link Kind#LINE}
 */
record RawLine(int number, Kind kind, Buffer bytes) {
  enum Kind {
    LINE,
    /** Longer than the limit; it was passed over without being kept. */
    TOO_LARGE,
    /** The body is no array from here on; nothing comes after it. */
    BROKEN
  }

  static RawLine of(int number, byte[] bytes) {
    return new RawLine(number, Kind.LINE, Buffer.buffer(bytes));
  }

  static RawLine tooLarge(int number) {
    return new RawLine(number, Kind.TOO_LARGE, Buffer.buffer());
  }

  static RawLine broken(int number) {
    return new RawLine(number, Kind.BROKEN, Buffer.buffer());
  }
}
