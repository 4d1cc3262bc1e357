package dev.askgateway.answer;

import java.time.Duration;

/**
 * How answers live.
 *
 * @param lease how long a node is believed to be alive after its last sign
 * @param sweepInterval how often a node looks for answers of dead nodes
 * @param grace how long an answer nobody follows goes on, waiting for its reader to return
 * @param maxChars longest answer in characters; more ends it with reason "length"
 * @param recentTurns earlier turns that generation reads
 * @param reveal which citations are sent before the text
 */
public record AnswerConfig(
    Duration lease,
    Duration sweepInterval,
    Duration grace,
    int maxChars,
    int recentTurns,
    Reveal reveal) {

  /** CITED: each as its mark appears. PACK: the whole evidence first. */
  public enum Reveal {
    CITED,
    PACK
  }

  public AnswerConfig {
    require(lease.toMillis() >= 300, "answer.lease", lease, "at least 300ms");
    require(sweepInterval.toMillis() >= 10, "answer.sweepInterval", sweepInterval, "at least 10ms");
    require(!grace.isNegative(), "stream.grace", grace, "not negative");
    require(maxChars >= 1000, "answer.maxChars", maxChars, "at least 1000");
    require(recentTurns >= 0 && recentTurns <= 50, "answer.recentTurns", recentTurns, "0 to 50");
  }

  private static void require(boolean holds, String key, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(key + " is " + value + "; it must be " + rule);
    }
  }
}
