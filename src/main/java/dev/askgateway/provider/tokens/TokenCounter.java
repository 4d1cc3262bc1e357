package dev.askgateway.provider.tokens;

/** Counts the tokens of a text in one vocabulary. Any thread may, and several at once. */
@FunctionalInterface
public interface TokenCounter {

  /** Takes time in proportion to the text's length, whatever is in it. */
  long count(String text);
}
