package dev.askgateway.core;

/**
 * Where the events of an answer go. Lives on one event loop; every method is called there, and the
 * sink calls its handlers there.
 */
public interface AnswerSink {

  /** Takes the next event. After {@link AnswerEvent.Ended} the sink closes itself. */
  void write(AnswerEvent event);

  /** Whether the reader is behind: wait for the drain handler before the next write. */
  boolean full();

  /** Called each time a full sink has room again. */
  void drainHandler(Runnable handler);

  /** Called once if the reader leaves, or is given up, before the end. */
  void closeHandler(Runnable handler);
}
