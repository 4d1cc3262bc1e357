package dev.askgateway.retrieval;

import dev.askgateway.query.QuestionShape;
import dev.askgateway.store.SearchHit;
import java.time.Duration;
import java.time.Instant;

/**
 * What a message looks like that answers a question, as a factor of its fused score: none compares a
 * rank with a cosine. The weights are of a logarithm, learnt on open conversations and rounded; decision
 * 21 has the numbers.
 */
final class Signs {
  /** For the weight of the question's words it holds, of all of it. */
  private static final double WORDS = 1.5;

  /** For what was found in its talk, of what was found in the best talk. */
  private static final double TALK = 0.7;

  /** For naming a time where the question asks for one. */
  private static final double TIME = 1.0;

  private static final double ASKS = -0.35;
  private static final double ANSWERS = 0.3;

  /** For each factor of e in days: what is so now was said lately, what was once may have been said ever. */
  private static final double AGE = -0.05;

  private static final double HOURS_OF_A_DAY = 24;

  private final boolean when;
  private final boolean past;
  private final Instant newest;

  /** @param newest when the newest of what was found was said: age counts from it */
  Signs(String question, Instant newest) {
    this.when = QuestionShape.asksWhen(question);
    this.past = QuestionShape.asksOfThePast(question);
    this.newest = newest;
  }

  /**
   * @param share what weight of the question's words it holds, 0 to 1
   * @param talk what its talk holds, of the best talk, 0 to 1
   */
  double lift(SearchHit.Written message, double share, double talk) {
    double days = Duration.between(message.at(), newest).toHours() / HOURS_OF_A_DAY;
    return Math.exp(WORDS * share
        + TALK * talk
        + (when && QuestionShape.namesTime(message.text()) ? TIME : 0)
        + (message.asks() ? ASKS : 0)
        + (message.answers() ? ANSWERS : 0)
        + (past ? 0 : AGE * Math.log1p(Math.max(0, days))));
  }
}
