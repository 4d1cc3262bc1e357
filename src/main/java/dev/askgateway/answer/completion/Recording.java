package dev.askgateway.answer.completion;

import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.ReplayEvent;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;

/** A sink whose reader may leave: what it is told is kept for whoever sends the request again. */
final class Recording implements CompletionSink {
  private final CompletionSink reader;
  private final ReplayWriter writer;

  Recording(CompletionSink reader, ReplayWriter writer, long createdSeconds) {
    this.reader = reader;
    this.writer = writer;
    writer.write(new ReplayEvent.Opened(createdSeconds));
  }

  @Override
  public void replayed(long createdSeconds) {
    reader.replayed(createdSeconds);
  }

  @Override
  public void dayWarned() {
    reader.dayWarned(); // of that day: who sends it again is told of their own
  }

  @Override
  public void write(TokenEvent event) {
    writer.write(new ReplayEvent.Output(kept(event)));
    reader.write(event);
  }

  /** The bytes of a chunk are the stream's until the next one. */
  private static TokenEvent kept(TokenEvent event) {
    return event instanceof TokenEvent.Chunk chunk
        ? new TokenEvent.Chunk(
            chunk.json().copy(), chunk.textChars(), chunk.otherChars(), chunk.usageOnly())
        : event;
  }

  @Override
  public boolean full() {
    return reader.full();
  }

  @Override
  public void drainHandler(Runnable handler) {
    reader.drainHandler(handler);
  }

  @Override
  public void closeHandler(Runnable handler) {
    reader.closeHandler(handler);
  }

  @Override
  public void end(Usage usage) {
    writer.write(new ReplayEvent.Ended(usage));
    reader.end(usage);
  }

  @Override
  public void fail(Throwable failure) {
    writer.write(ReplayEvent.Failed.of(failure));
    reader.fail(failure);
  }
}
