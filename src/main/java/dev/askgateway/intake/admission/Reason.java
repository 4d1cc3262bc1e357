package dev.askgateway.intake.admission;

/** Why a request was turned away. */
public enum Reason {
  /** As many answers are open as may be. */
  OPEN,
  /** Too many are beginning: the node would be late with one more. */
  LIMIT,
  /** An import, which can wait: the node has enough to do, or had just now. */
  IMPORT,
  /** The event loop is late with what it has. */
  LAG,
  /** The node is to go. */
  DRAINING
}
