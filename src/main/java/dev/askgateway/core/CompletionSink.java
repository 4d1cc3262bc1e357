package dev.askgateway.core;

/**
 * Where the output of one completion goes. Lives on one event loop; every method is called there, and
 * the sink calls its handlers there. Exactly one of {@link #end} and {@link #fail} is called, unless
 * the reader leaves first; the sink closes itself then.
 */
public interface CompletionSink {

  /** The request was begun and its first model is asked: from here on the wait is the model's. */
  default void asked() {
    // most readers cannot see it
  }

  /**
   * What follows was told before, or is being told, to whoever sent this request first.
   *
   * @param createdSeconds what that answer says of when, in seconds since 1970
   */
  void replayed(long createdSeconds);

  /** What the person was charged today has reached what they are warned at. Before all output. */
  void dayWarned();

  /** Takes the next event, in the model's order. */
  void write(TokenEvent event);

  /** Whether the reader is behind: wait for the drain handler before the next write. */
  boolean full();

  /** Called each time a full sink has room again. */
  void drainHandler(Runnable handler);

  /** Called once if the reader leaves, or is given up, before the end; at once if it has left. */
  void closeHandler(Runnable handler);

  /**
   * The answer is whole.
   *
   * @param usage what the model reported, else an estimate
   */
  void end(Usage usage);

  /** There is no answer, or no more of it. */
  void fail(Throwable failure);
}
