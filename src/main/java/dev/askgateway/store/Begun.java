package dev.askgateway.store;

/**
 * What became of a request that was to begin.
 *
 * @param fresh whether it began: false for a request id that was used
 * @param dayWarned whether what its person was charged today had reached what they are warned at
 */
public record Begun(boolean fresh, boolean dayWarned) {
  /** The request id was used. */
  public static final Begun USED = new Begun(false, false);

  /** It began, and nobody is to be warned. */
  public static final Begun FRESH = new Begun(true, false);

  /** It began, on a day of which there is something to warn of. */
  public static final Begun WARNED = new Begun(true, true);

  static Begun of(boolean fresh, boolean dayWarned) {
    return fresh ? dayWarned ? WARNED : FRESH : USED;
  }
}
