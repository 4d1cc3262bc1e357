package dev.askgateway.core.trace;

/** What a model is called for. */
public enum Operation {
  CHAT,
  EMBEDDINGS
}
