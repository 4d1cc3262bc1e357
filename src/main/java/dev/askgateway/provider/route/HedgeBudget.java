package dev.askgateway.provider.route;

import dev.askgateway.provider.gate.Plan;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps hedged requests to a share of all: every request pays its share in, every hedge takes a whole
 * one out. What is saved has a bound, so a quiet night buys no storm of hedges.
 */
final class HedgeBudget implements Plan.Hedging {
  private static final long WHOLE = 1_000_000;
  private static final long MOST_SAVED = 10 * WHOLE;

  private final long share;
  private final AtomicLong saved = new AtomicLong();

  HedgeBudget(double share) {
    this.share = Math.round(share * WHOLE);
  }

  @Override
  public void requested() {
    saved.accumulateAndGet(share, (has, more) -> Math.min(MOST_SAVED, has + more));
  }

  @Override
  public boolean getAsBoolean() {
    return saved.getAndUpdate(has -> has >= WHOLE ? has - WHOLE : has) >= WHOLE;
  }
}
