package dev.askgateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

@DisplayName("The log, as it is configured")
class LogOutputTest {
  private final LoggerContext context = new LoggerContext();

  @BeforeEach
  void prepare() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private ConsoleAppender<ILoggingEvent> configured(String format) throws JoranException {
    context.putProperty("LOG_FORMAT", format);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    // A warning of the library would make it print all it has to say to the output of commands.
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .allMatch(status -> status.getLevel() < Status.WARN);
    Appender<ILoggingEvent> queue = context.getLogger("ROOT").getAppender("queue");
    assertThat(queue).isInstanceOf(LogQueue.class);
    Appender<ILoggingEvent> out = ((LogQueue) queue).iteratorForAppenders().next();
    assertThat(out).isInstanceOf(ConsoleAppender.class);
    return (ConsoleAppender<ILoggingEvent>) out;
  }

  private LoggingEvent event(String message, Object... arguments) {
    Logger logger = context.getLogger("dev.askgateway.Some");
    LoggingEvent event = new LoggingEvent("none", logger, Level.WARN, message, null, arguments);
    event.setInstant(Instant.parse("2026-03-01T01:02:03.456Z"));
    return event;
  }

  private static String written(ConsoleAppender<ILoggingEvent> out, ILoggingEvent event) {
    return new String(out.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("as JSON is one object a line, in UTC, with the request and every pair as a field")
  void json() throws JoranException {
    UUID request = UUID.randomUUID();
    LoggingEvent event = event("failed: request {} cause {}", LogFields.request(request), "X\nY");
    event.addKeyValuePair(new KeyValuePair("input_tokens", 12L));
    event.addKeyValuePair(new KeyValuePair("kind", "chat"));

    String line = written(configured("json"), event);

    assertThat(line.strip()).doesNotContain("\n");
    JsonObject json = new JsonObject(line);
    assertThat(json.getString("time")).isEqualTo("2026-03-01T01:02:03.456Z");
    assertThat(json.getString("level")).isEqualTo("WARN");
    assertThat(json.getString("logger")).isEqualTo("dev.askgateway.Some");
    assertThat(json.getString("message")).isEqualTo("failed: request " + request + " cause X\nY");
    assertThat(json.getString("request")).isEqualTo(request.toString());
    assertThat(json.getLong("input_tokens")).isEqualTo(12);
    assertThat(json.getString("kind")).isEqualTo("chat");
    assertThat(json.containsKey("@version")).isFalse();
  }

  @Test
  @DisplayName("as text is one line, in UTC, with the pairs behind the message")
  void text() throws JoranException {
    LoggingEvent event = event("failed: cause {}", "X\nY");
    event.addKeyValuePair(new KeyValuePair("kind", "chat"));

    String line = written(configured("text"), event);

    assertThat(line.strip().lines()).hasSize(1);
    assertThat(line)
        .startsWith("2026-03-01T01:02:03.456Z WARN ")
        .contains("failed: cause X | Y kind=chat");
  }

  @Test
  @DisplayName("is text when it is asked for anything else")
  void anythingElse() {
    assertThat(List.of("", "xml", "text", "TEXT"))
        .allSatisfy(asked -> assertThat(LogFormat.chosen(asked)).isEqualTo("text"));
    assertThat(LogFormat.chosen(null)).isEqualTo("text");
    assertThat(LogFormat.chosen(" JSON ")).isEqualTo("json");
  }

  @Test
  @DisplayName("leaves lines out and counts them when nobody takes them, and holds nobody up")
  void queueIsBounded() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch taking = new CountDownLatch(1);
    List<String> taken = new CopyOnWriteArrayList<>();
    LogQueue queue = new LogQueue();
    queue.setContext(context);
    queue.setQueueSize(4);
    queue.addAppender(started(new AppenderBase<>() {
      @Override
      protected void append(ILoggingEvent event) {
        taking.countDown();
        await(goOn);
        taken.add(event.getFormattedMessage());
      }
    }));
    queue.start();
    long before = LogQueue.DROPPED.sum();
    queue.doAppend(event("first"));
    await(taking);
    for (int i = 0; i < 10; i++) {
      queue.doAppend(event("line " + i));
    }
    assertThat(LogQueue.DROPPED.sum() - before).isEqualTo(6);
    goOn.countDown();
    queue.stop();
    assertThat(taken).containsExactly("first", "line 0", "line 1", "line 2", "line 3");
  }

  private <T extends Appender<ILoggingEvent>> T started(T appender) {
    appender.setContext(context);
    appender.start();
    return appender;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
