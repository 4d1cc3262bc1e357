package dev.askgateway.config;

/** What is served over HTTP. */
public enum Surface {
  /** The assistant over a person's own messages. */
  ASK,
  /** Models for programs, in the words of the vendors' own APIs. */
  EDGE
}
