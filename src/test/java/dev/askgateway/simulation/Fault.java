package dev.askgateway.simulation;

/** What goes wrong, and how often where it can, in parts of a thousand. */
enum Fault {
  /** The node dies before its begin is in the database. */
  CRASH_BEGINNING(15),
  /** It dies when the hold is committed and it has not heard so. */
  CRASH_HELD(25),
  CRASH_CALLING(20),
  CRASH_ENDING(20),
  /** It dies when the end is committed and it has not heard so. */
  CRASH_ENDED(20),
  /** The client sends the same request to another node as well. */
  DUPLICATE(150),
  /** A month of somebody's account is over. */
  MONTH_ENDS(40),
  /** The time of somebody's credits is over. */
  CREDITS_EXPIRE(60),
  /** The client takes what it has and leaves; it may come back. */
  LEFT(150),
  /** A message takes seconds. */
  DELAY(40),
  COPY_FLUSHED(60),
  COPY_AWAY(80),
  /** The copy does not hear of a change. */
  COPY_STALE(100),
  COPY_NONSENSE(80),
  /** The log of what was told cannot be reached. */
  LOG_AWAY(40),
  /** An entry is written, and nobody hears so. */
  LOG_REPLY_LOST(40),
  /** Redis starts empty. */
  LOG_FLUSHED(12),
  /** The database is away for a while. */
  DATABASE_AWAY(10),
  /** A call does not reach the database. */
  CALL_LOST(30),
  /** A call is made, and its answer does not come back. */
  REPLY_LOST(40),
  PROVIDER_REFUSES(200),
  PROVIDER_TRUNCATES(100),
  PROVIDER_TELLS_NO_USAGE(120),
  PROVIDER_OVERREPORTS(100);

  final int perMille;

  Fault(int perMille) {
    this.perMille = perMille;
  }
}
