package dev.askgateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.config.ManagementAccess;
import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.ManagementConfig;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command log-level")
class LogLevelTest {
  private final Vertx vertx = Vertx.vertx();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer server; // held: Vert.x closes one that nobody refers to

  @BeforeEach
  void listen() {
    server = vertx.createHttpServer().requestHandler(request -> request.body().onSuccess(body -> {
      asked.add(request.method() + " " + request.path() + " " + body);
      boolean known = request.path().endsWith("dev.askgateway.X");
      request
          .response()
          .setStatusCode(known ? 200 : 404)
          .end(new JsonObject()
              .put("name", "dev.askgateway.X")
              .put("level", "DEBUG")
              .put("effectiveLevel", "DEBUG")
              .toBuffer());
    }));
    Wait.on(server.listen(0, "127.0.0.1"));
  }

  @AfterEach
  void close() {
    Wait.on(vertx.close());
  }

  private LogLevel command(boolean enabled, String host) {
    return new LogLevel(new ManagementAccess(
        new ManagementConfig(enabled, host, server.actualPort()), ClientLimits.DEFAULT));
  }

  @Test
  @DisplayName(
      "asks the gateway on this machine, wherever it listens, and tells the level that holds")
  void asks() throws Exception {
    assertThat(command(true, "127.0.0.1").set("dev.askgateway.X", "debug"))
        .isEqualTo("dev.askgateway.X is at DEBUG");
    command(true, "0.0.0.0").set("dev.askgateway.X", "Inherit");
    assertThat(asked)
        .containsExactly(
            "PUT /loggers/dev.askgateway.X {\"level\":\"DEBUG\"}",
            "PUT /loggers/dev.askgateway.X {\"level\":null}");
  }

  @Test
  @DisplayName("says what is wrong with a name and a level without asking anybody")
  void wrong() {
    assertThatThrownBy(() -> command(true, "127.0.0.1").set("io.netty", "DEBUG"))
        .hasMessage("only the levels of dev.askgateway and what is in it can be changed");
    assertThatThrownBy(() -> command(true, "127.0.0.1").set("dev.askgateway.X", "LOUD"))
        .hasMessage("LEVEL is one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, INHERIT");
    assertThat(asked).isEmpty();
  }

  @Test
  @DisplayName("fails where the gateway knows no such logger, and where there is none to ask")
  void fails() {
    assertThatThrownBy(() -> command(true, "127.0.0.1").set("dev.askgateway.Y", "DEBUG"))
        .isInstanceOf(GatewayError.class)
        .rootCause()
        .hasMessageContaining("status 404");
    assertThatThrownBy(() -> command(false, "127.0.0.1").set("dev.askgateway.X", "DEBUG"))
        .hasMessage("management.enabled is false: there is nobody to ask");
  }
}
