package dev.askgateway.answer;

import dev.askgateway.core.Rule;
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
    Rule.range("answer.lease", lease, Duration.ofMillis(300), Duration.ofHours(1));
    Rule.range("answer.sweepInterval", sweepInterval, Duration.ofMillis(10), Duration.ofHours(1));
    // A sweep that comes later than a lease lapses leaves people waiting for nothing.
    Rule.require(
        sweepInterval.compareTo(lease) <= 0,
        "answer.sweepInterval",
        Rule.text(sweepInterval),
        "at most answer.lease, " + Rule.text(lease));
    Rule.range("stream.grace", grace, Duration.ZERO, Duration.ofHours(1));
    Rule.range("answer.maxChars", maxChars, 1000, 16 << 20);
    Rule.range("answer.recentTurns", recentTurns, 0, 50);
  }
}
