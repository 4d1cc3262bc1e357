package dev.askgateway.simulation;

/** Mistakes that a node could make: planted, so that it is known that the simulation finds them. */
enum Flaw {
  NONE,
  /** Asks the model while the hold is still on its way. */
  CALLS_EARLY,
  /** Takes the copy's leave for the hold. */
  TRUSTS_THE_COPY,
  /** Takes a used request id for one that it began. */
  REPEATS_A_USED_ID,
  /** Asks another model after the first had shown something. */
  REPLACES_WHAT_WAS_SHOWN,
  /** Writes an end whose reply was lost once more, under a new id. */
  ENDS_AGAIN_UNDER_A_NEW_ID,
  /** Sweeps requests whose node is alive. */
  STEALS_LEASES,
  /** Leaves to themselves what dead nodes began. */
  NEVER_SWEEPS,
  /** Charges its own estimate where the model reported its usage. */
  ESTIMATES_ALWAYS,
  /** Lets the slower of two models go on beside the one that was chosen. */
  NEVER_STOPS_THE_SLOWER,
  /** Writes down what the chosen model used and forgets the other ones. */
  FORGETS_THE_SLOWER,
  /** Charges vectors that were not given, as far as they were made. */
  CHARGES_HALF_AN_EMBEDDING,
  /** Tells on where the log has lost something. */
  TELLS_PAST_A_GAP,
  /** The database lets credits expire and tells the ledger nothing. */
  EXPIRES_IN_SILENCE,
  /** The database forgets at the end of a month what is still held of it. */
  FORGETS_THE_OLD_MONTH
}
