package dev.askgateway.devservices;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.vertx.core.internal.threadchecker.BlockedThreadChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails every test class in which Vert.x warns of a blocked event loop. Registered for all tests by
 * {@code META-INF/services}; a warning that comes late fails the class that runs by then.
 */
public final class BlockedLoopWatch implements BeforeAllCallback, AfterAllCallback {
  private static final Warnings WARNINGS = attach();

  @Override
  public void beforeAll(ExtensionContext context) {
    // Loading this class has attached the appender; nothing depends on the single class.
  }

  @Override
  public void afterAll(ExtensionContext context) {
    var reports = WARNINGS.take();
    if (!reports.isEmpty()) {
      throw new AssertionError("an event loop was blocked:\n" + String.join("\n", reports));
    }
  }

  private static Warnings attach() {
    var warnings = new Warnings();
    var logger = (Logger) LoggerFactory.getLogger(BlockedThreadChecker.LOGGER_NAME);
    warnings.setContext(logger.getLoggerContext());
    warnings.start();
    logger.addAppender(warnings);
    return warnings;
  }

  /** Runs on Vert.x's checker thread, while the loop is still blocked: now its stack tells why. */
  private static final class Warnings extends AppenderBase<ILoggingEvent> {
    private final Queue<String> reports = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      var message = event.getFormattedMessage();
      if (message.contains("-eventloop-")) {
        reports.add(message + stacks(message));
      }
    }

    List<String> take() {
      var taken = new ArrayList<String>();
      for (var report = reports.poll(); report != null; report = reports.poll()) {
        taken.add(report);
      }
      return taken;
    }

    /** Several Vert.x instances name their threads alike: all but the idle ones are shown. */
    private static String stacks(String message) {
      var text = new StringBuilder();
      Thread.getAllStackTraces().forEach((thread, stack) -> {
        if (message.contains("Thread " + thread.getName() + " ") && !isIdle(stack)) {
          for (var frame : stack) {
            text.append("\n    at ").append(frame);
          }
        }
      });
      return text.toString();
    }

    private static boolean isIdle(StackTraceElement[] stack) {
      return stack.length == 0
          || stack[0].getMethodName().toLowerCase(Locale.ROOT).contains("epoll");
    }
  }
}
