package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** Hears everything that is logged while it is open, our own rooms at their most talkative. */
public final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger("ROOT");
  private static final Logger OURS = (Logger) LoggerFactory.getLogger("dev.askgateway");

  private static final AtomicInteger OPEN = new AtomicInteger();

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  public static LogWatch open() {
    LogWatch watch = new LogWatch();
    watch.setContext(ROOT.getLoggerContext());
    watch.start();
    ROOT.addAppender(watch);
    OPEN.incrementAndGet();
    OURS.setLevel(Level.TRACE);
    return watch;
  }

  @Override
  protected void append(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(event.getFormattedMessage());
    if (event.getKeyValuePairs() != null) {
      event
          .getKeyValuePairs()
          .forEach(pair -> line.append(' ').append(pair.key).append('=').append(pair.value));
    }
    for (IThrowableProxy cause = event.getThrowableProxy();
        cause != null;
        cause = cause.getCause()) {
      line.append(' ').append(cause.getClassName()).append(' ').append(cause.getMessage());
    }
    lines.add(line.toString());
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** No line so far holds one of the words. */
  public void isSilentOf(List<String> words) {
    for (String word : words) {
      assertThat(lines)
          .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)));
    }
  }

  @Override
  public void close() {
    ROOT.detachAppender(this);
    if (OPEN.decrementAndGet() == 0) {
      OURS.setLevel(null); // not before: another one may be open
    }
    stop();
  }
}
