package dev.askgateway.intake;

/** What a door serves besides health and metrics. */
public enum Surface {
  /** Questions about one's own messages: the contract's routes. */
  ASK,
  /** The OpenAI-compatible edge under {@code /v1}. */
  EDGE
}
