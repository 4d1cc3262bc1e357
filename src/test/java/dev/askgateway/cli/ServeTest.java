package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("A process that serves")
class ServeTest {
  private final Logger log = (Logger) LoggerFactory.getLogger(Serve.class);
  private final List<String> happened = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> lines = new AppenderBase<>() {
    @Override
    protected void append(ILoggingEvent event) {
      happened.add(event.getFormattedMessage());
    }
  };

  @BeforeEach
  void listen() {
    lines.setContext(log.getLoggerContext());
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
  }

  @AfterEach
  void leave() {
    log.setLevel(null);
    log.detachAppender(lines);
  }

  @Test
  @DisplayName("hears that it is to stop before it says that it is ready")
  void hearsBeforeItIsReady() throws Exception {
    GatewayConfig config = ConfigLoader.load(
        null,
        Map.of(
            "ASK_SURFACES", "edge",
            "ASK_EDGE_AUTH", "none",
            "ASK_EDGE_ACCOUNTING", "none"));
    Server server = any -> Future.succeededFuture(new Server.Running() {
      @Override
      public int port() {
        return 8080;
      }

      @Override
      public Future<Void> close() {
        return Future.succeededFuture();
      }
    });

    boolean clean = new Serve(server, stop -> {
          happened.add("listens for signals");
          stop.run();
        })
        .run(config);

    assertThat(clean).isTrue();
    assertThat(happened).containsSubsequence("listens for signals", "ready on http://0.0.0.0:8080");
  }
}
