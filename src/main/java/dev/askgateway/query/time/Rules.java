package dev.askgateway.query.time;

import org.jspecify.annotations.Nullable;

/** How rules for one place are weighed: whoever reads most is right. */
final class Rules {
  private Rules() {}

  /** The longest, and of equally long ones the first. */
  static @Nullable Parsed longest(@Nullable Parsed... readings) {
    Parsed best = null;
    for (Parsed parsed : readings) {
      if (parsed != null && (best == null || parsed.end() > best.end())) {
        best = parsed;
      }
    }
    return best;
  }
}
