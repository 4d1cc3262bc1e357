package dev.askgateway.retrieval;

import dev.askgateway.query.QuestionShape;
import dev.askgateway.store.SearchHit;

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

  /** For each factor of e in length: "Yes!" says little, whatever it is near to. */
  private static final double LENGTH = 0.25;

  private static final double SHORTEST = 10;
  private static final double USUAL = 120;

  /** For naming a time where the question asks for one. */
  private static final double TIME = 1.0;

  private static final double ASKS = -0.35;
  private static final double ANSWERS = 0.3;

  private final boolean when;

  Signs(String question) {
    when = QuestionShape.asksWhen(question);
  }

  /**
   * @param share what weight of the question's words it holds, 0 to 1
   * @param talk what its talk holds, of the best talk, 0 to 1
   */
  double lift(SearchHit.Written message, double share, double talk) {
    double length = Math.log((message.text().length() + SHORTEST) / USUAL);
    return Math.exp(WORDS * share
        + TALK * talk
        + LENGTH * length
        + (when && QuestionShape.namesTime(message.text()) ? TIME : 0)
        + (message.asks() ? ASKS : 0)
        + (message.answers() ? ANSWERS : 0));
  }
}
