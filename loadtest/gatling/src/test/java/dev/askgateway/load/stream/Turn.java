package dev.askgateway.load.stream;

/**
 * What a reader does in the middle of a stream.
 *
 * @param afterDeltas at which piece of text, from 1; 0: never
 * @param leaves whether it closes the connection there; else it does {@code action} and reads on
 */
public record Turn(int afterDeltas, boolean leaves, Runnable action) {
  /** Reads to the end. */
  public static final Turn NONE = new Turn(0, false, () -> {});

  /** Leaves, as an app does that loses its network. */
  public static Turn leave(int afterDeltas) {
    return new Turn(afterDeltas, true, () -> {});
  }

  /** Does something else at the same time. */
  public static Turn act(int afterDeltas, Runnable action) {
    return new Turn(afterDeltas, false, action);
  }
}
