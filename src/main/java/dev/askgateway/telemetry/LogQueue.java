package dev.askgateway.telemetry;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lines of the log on their way out. Whoever logs never waits for whoever reads: a full queue drops
 * lines, and they are counted.
 */
public final class LogQueue extends AsyncAppender {
  /** Of the whole process, as its log is. */
  static final LongAdder DROPPED = new LongAdder();

  /** With these the configuration needs to say no more than where the lines go. */
  public LogQueue() {
    setQueueSize(8_192);
    setDiscardingThreshold(0); // a warning is worth no more than the line of an answer
    setNeverBlock(true);
    setMaxFlushTime(2_000);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (getRemainingCapacity() == 0) {
      DROPPED.increment();
    } else {
      super.append(event);
    }
  }
}
