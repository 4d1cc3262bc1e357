package dev.askgateway.provider.route;

/**
 * Calls that went well or badly in the present window and the one before it.
 *
 * @param sinceNanos when the present window began
 */
record Tally(long sinceNanos, int good, int bad, int goodBefore, int badBefore) {

  static Tally empty(long nowNanos) {
    return new Tally(nowNanos, 0, 0, 0, 0);
  }

  /** With one call more. */
  Tally with(boolean well, long nowNanos, long windowNanos) {
    Tally now = at(nowNanos, windowNanos);
    return new Tally(
        now.sinceNanos,
        now.good + (well ? 1 : 0),
        now.bad + (well ? 0 : 1),
        now.goodBefore,
        now.badBefore);
  }

  private Tally at(long nowNanos, long windowNanos) {
    long age = nowNanos - sinceNanos;
    if (age < windowNanos) {
      return this;
    }
    return age < 2 * windowNanos
        ? new Tally(sinceNanos + windowNanos, 0, 0, good, bad)
        : empty(nowNanos);
  }

  boolean isBad(HealthRules rules) {
    int failures = bad + badBefore;
    return failures >= rules.failures()
        && failures >= rules.share() * (failures + good + goodBefore);
  }
}
