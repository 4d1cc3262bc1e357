package dev.askgateway.query.time;

import org.jspecify.annotations.Nullable;

/**
 * An expression that was read.
 *
 * @param end the token after it
 * @param floating whether it comes again (a weekday, "March 5"), so that another time may place it
 * @param shape what kind of expression it is
 * @param other what others mean by the same words ("next Friday"), or null
 */
record Parsed(
    int end,
    Reading reading,
    boolean floating,
    Shape shape,
    @Nullable Reading other) {

  Parsed(int end, Reading reading, boolean floating, Shape shape) {
    this(end, reading, floating, shape, null);
  }

  enum Shape {
    /** A day, a month, a time of a day: of what happened or what was said. */
    CALENDAR,
    /** The same, told in round numbers: "a month ago". */
    ABOUT,
    /** A stretch up to the request or up to or from a named time. */
    STRETCH
  }

  static Parsed fixed(int end, Reading reading) {
    return new Parsed(end, reading, false, Shape.CALENDAR);
  }

  /** Words that two kinds of speakers read apart. */
  static Parsed disputed(int end, Reading reading, Reading other) {
    return new Parsed(end, reading, false, Shape.CALENDAR, other);
  }

  static Parsed floating(int end, Reading reading) {
    return new Parsed(end, reading, true, Shape.CALENDAR);
  }

  static Parsed stretch(int end, Reading reading) {
    return new Parsed(end, reading, false, Shape.STRETCH);
  }
}
