package dev.askgateway.intake.admission;

/**
 * The share of requests that an event loop takes while it is late: the square of how much less late it
 * should be. Twice as late as it may be takes a quarter. It is never none, else a loop that is late by
 * something else would be closed for good. Lives on that loop.
 */
final class LagShare {
  private final long targetNanos;
  private double credit;

  LagShare(long targetNanos) {
    this.targetNanos = targetNanos;
  }

  boolean takes(long lagNanos) {
    if (lagNanos <= targetNanos) {
      credit = 0;
      return true;
    }
    double share = (double) targetNanos / lagNanos;
    credit += share * share;
    if (credit < 1) {
      return false;
    }
    credit -= 1;
    return true;
  }
}
