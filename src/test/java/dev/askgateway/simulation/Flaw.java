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
  ESTIMATES_ALWAYS
}
