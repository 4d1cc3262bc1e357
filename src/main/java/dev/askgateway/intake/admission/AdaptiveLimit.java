package dev.askgateway.intake.admission;

/**
 * How many requests may be beginning at a time: grows by a tenth for each interval in which none of them
 * waited too long, and falls to a part of what is there when all did. So it comes to what the node does
 * within the wait that may stand, without knowing how quick it is (AIMD, cut by what is in flight). Lives
 * on one event loop.
 */
final class AdaptiveLimit {
  /** With fewer there is nothing to gain: a node that is late all the same is late by other things. */
  static final int LEAST = 2;

  private static final double CUT = 0.7;

  private final int most;
  private int limit;

  /** Begins at the most, as nothing speaks against it yet. */
  AdaptiveLimit(int most) {
    this.most = Math.max(LEAST, most);
    this.limit = this.most;
  }

  int now() {
    return limit;
  }

  /**
   * An interval is over.
   *
   * @param inFlight how many are beginning
   * @param late whether even the quickest of them waited too long
   * @return whether there are too many of them
   */
  boolean judge(int inFlight, boolean late) {
    if (!late) {
      limit = Math.min(most, limit + 1 + limit / 10);
      return false;
    }
    if (inFlight <= LEAST) {
      return false;
    }
    limit = Math.max(LEAST, (int) (CUT * Math.min(limit, inFlight)));
    return true;
  }
}
