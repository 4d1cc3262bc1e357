package dev.askgateway.simulation;

/** A rule that a run has broken. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Rule rule;

  /** What must hold, whatever fails. */
  enum Rule {
    /** No model is called for a request whose hold is not committed. */
    HELD_FIRST,
    /** After a model gave something, no other is asked for the same request or gives anything. */
    ONE_CALL,
    /** Whoever is told of a request is told what its one model said, or less and a failure. */
    ONE_TEXT,
    /** Nobody is told of a fault of our own. */
    NO_FAULT,
    /** Nobody ends a request of a node whose lease has not lapsed. */
    LIVE_LEASE,
    /** The books agree with each other, and no account is over what it may. */
    BOOKS,
    /** Each begun request has come to one end, written down once. */
    ONE_END,
    /** What was held is not held any more, nor does anything stand that has expired. */
    NOTHING_LEFT,
    /** What all calls used is written down; who is charged pays what the one reported, up to the hold. */
    BILL,
    /** Nothing is charged that nobody asked for. */
    KNOWN
  }

  Violation(Rule rule, String detail) {
    super(rule + ": " + detail);
    this.rule = rule;
  }

  Rule rule() {
    return rule;
  }
}
