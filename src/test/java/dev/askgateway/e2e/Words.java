package dev.askgateway.e2e;

import java.util.List;

/**
 * Words that stand for what must never leave its place: each test asks, stores and answers with them,
 * and no log line, metric or Redis key may ever hold one.
 */
final class Words {
  static final String QUESTION = "qzquestion";
  static final String MESSAGE = "qzmessage";
  static final String ANSWER = "qzanswer";
  static final String API_KEY = "sk-qzkey-1234567890";

  /** All of them begin alike, so that a part of one is found too. */
  static final List<String> SECRET = List.of(QUESTION, MESSAGE, ANSWER, API_KEY, "sk-qz");

  private Words() {}
}
