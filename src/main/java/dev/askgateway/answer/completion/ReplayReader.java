package dev.askgateway.answer.completion;

import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.ReplayEvent;

/** Who sent a request again, on one event loop. */
interface ReplayReader {
  /** What follows was told before. */
  void replayed(long createdSeconds);

  /** Whether it is an event of this kind of answer. */
  boolean takes(ReplayEvent event);

  /** The next event, of this kind of answer. */
  void tell(ReplayEvent event);

  /** There is no answer, or no more of it. */
  void fail(Throwable failure);

  /** Whether the reader is behind. */
  default boolean full() {
    return false;
  }

  /** The reader of a completion. */
  static ReplayReader of(CompletionSink sink) {
    return new ReplayReader() {
      @Override
      public void replayed(long createdSeconds) {
        sink.replayed(createdSeconds);
      }

      @Override
      public boolean takes(ReplayEvent event) {
        return !(event instanceof ReplayEvent.Vectors);
      }

      @Override
      public void tell(ReplayEvent event) {
        if (event instanceof ReplayEvent.Output output) {
          sink.write(output.event());
        } else if (event instanceof ReplayEvent.Ended end) {
          sink.end(end.usage());
        }
      }

      @Override
      public void fail(Throwable failure) {
        sink.fail(failure);
      }

      @Override
      public boolean full() {
        return sink.full();
      }
    };
  }
}
