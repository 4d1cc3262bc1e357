package dev.askgateway.answer.rollout;

import dev.askgateway.core.Rule;

/**
 * A one-sided test that may be looked at as often as one likes while answers come: the mixture sequential
 * probability ratio test (Robbins 1970; Johari et al. 2015), whose chance of ever calling a difference that is
 * not there is at most {@code error}, however often and by however many nodes it is asked. The likelihood ratio
 * of differences drawn from a normal distribution against none at all is a martingale where there is none, so
 * that it exceeds 1/error with a chance of at most error (Ville). By the normal approximation, which the least
 * number of answers is for.
 *
 * @param error the chance of a false call, over all looks
 * @param least answers that each side must have; also how soon the test is keenest
 */
record SequentialTest(double error, int least) {

  /** So many of so many. */
  record Count(long hits, long of) {
    /** With one hit and one miss more (Agresti and Caffo): no share is surely 0 or 1. */
    private double share() {
      return (hits + 1.0) / (of + 2.0);
    }

    private double variance() {
      return share() * (1 - share()) / (of + 2.0);
    }
  }

  /** A mean, and how much the single ones vary. */
  record Mean(long of, double mean, double variance) {}

  SequentialTest {
    Rule.require(error > 0 && error < 1, "error", error, "more than 0, less than 1");
    Rule.range("least", least, 1, Integer.MAX_VALUE);
  }

  /** Whether the first share is larger than the second by more than the margin. */
  boolean isLarger(Count candidate, Count control, double margin) {
    double difference = candidate.share() - control.share() - margin;
    double deviation = Math.sqrt(candidate.variance() + control.variance());
    return isCalled(candidate.of(), control.of(), difference, deviation);
  }

  /** Whether the share is larger than that. */
  boolean isLarger(Count candidate, double bound) {
    double difference = candidate.share() - bound;
    double deviation = Math.sqrt(bound * (1 - bound) / (double) Math.max(1, candidate.of()));
    return candidate.of() >= least && isOver(difference / deviation, (double) candidate.of());
  }

  /** Whether the first mean is larger than the second times the factor. */
  boolean isLarger(Mean candidate, Mean control, double factor) {
    double difference = candidate.mean() - factor * control.mean();
    double variance = candidate.variance() / (double) Math.max(1, candidate.of())
        + factor * factor * control.variance() / (double) Math.max(1, control.of());
    return isCalled(candidate.of(), control.of(), difference, Math.sqrt(variance));
  }

  private boolean isCalled(long candidate, long control, double difference, double deviation) {
    if (candidate < least || control < least || difference <= 0) {
      return false;
    }
    double size = 1 / (1.0 / candidate + 1.0 / control);
    return deviation == 0 || isOver(difference / deviation, size);
  }

  /** @param size answers of one group that would tell as much */
  private boolean isOver(double z, double size) {
    double ratio = size / least;
    double bound = 2 * (1 + 1 / ratio) * (Math.log(1 / error) + Math.log1p(ratio) / 2);
    return z > 0 && z * z > bound;
  }
}
