package dev.askgateway.query.time;

/** Which way an expression points that has a reading on both sides of now, such as "Saturday". */
public enum Tense {
  PAST,
  FUTURE;

  /** The other way. */
  public Tense other() {
    return this == PAST ? FUTURE : PAST;
  }
}
