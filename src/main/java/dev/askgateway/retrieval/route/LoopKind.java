package dev.askgateway.retrieval.route;

/** What can be open between two people. */
enum LoopKind {
  /** The person said they would. */
  MINE,
  /** Somebody else said they would. */
  THEIRS,
  /** Somebody asked the person to do something. */
  REQUEST,
  /** Somebody asked, and the person wrote nothing after it. */
  QUESTION
}
