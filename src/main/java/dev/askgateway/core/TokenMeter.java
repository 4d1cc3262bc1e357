package dev.askgateway.core;

/**
 * Tells how many tokens a model reads of a text, at most. The counts of a text's lines together are no
 * less than that of the text. Any thread may ask.
 */
@FunctionalInterface
public interface TokenMeter {

  /** Tokens of what a vendor writes around one message, its role among it; a few in truth. */
  int OF_MESSAGE = 16;

  /** Takes time in proportion to the length. */
  long tokens(String text);
}
