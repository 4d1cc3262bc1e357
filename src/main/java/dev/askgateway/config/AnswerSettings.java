package dev.askgateway.config;

import java.time.Duration;

/**
 * The life of an answer. If one of these exists, it is valid.
 *
 * @param leaseDuration how long a silent node keeps its turns
 * @param sweepInterval time between two looks for turns whose lease lapsed
 * @param replayWindow how long the events of a finished answer can be replayed
 * @param maxAnswerBytes longest answer kept, in bytes of UTF-8
 * @param recentTurns earlier turns that the model reads
 */
public record AnswerSettings(
    Duration leaseDuration,
    Duration sweepInterval,
    Duration replayWindow,
    int maxAnswerBytes,
    int recentTurns) {

  public AnswerSettings {
    Rule.positive("answer.leaseDuration", leaseDuration);
    Rule.positive("answer.sweepInterval", sweepInterval);
    Rule.positive("answer.replayWindow", replayWindow);
    Rule.range("answer.maxAnswerBytes", maxAnswerBytes, 1024, 16 << 20);
    Rule.range("answer.recentTurns", recentTurns, 0, 100);
  }

  static AnswerSettings from(Section answer) {
    return new AnswerSettings(
        answer.duration("leaseDuration"),
        answer.duration("sweepInterval"),
        answer.duration("replayWindow"),
        (int) Math.min(answer.bytes("maxAnswerBytes"), Integer.MAX_VALUE),
        answer.integer("recentTurns"));
  }
}
