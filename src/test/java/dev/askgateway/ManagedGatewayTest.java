package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.provider.Wait;
import dev.askgateway.telemetry.LogLevels;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A whole gateway that serves the edge alone. */
@DisplayName("A gateway with a listener for its operator")
class ManagedGatewayTest {
  private static final String NAME = "dev.askgateway.RequestSignals";

  @TempDir
  private Path folder;

  private final Telemetry telemetry = new Telemetry(Set.of());
  private final Vertx vertx = telemetry.vertxBuilder().build();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    LogLevels.set(NAME, null);
    Wait.on(vertx.close());
  }

  private GatewayConfig config(String management) throws IOException {
    Path file = Files.writeString(folder.resolve("edge.yaml"), """
        surfaces: [edge]
        http: {host: 127.0.0.1, port: 0, instances: 1, drainGrace: 0s}
        edge: {auth: none, accounting: none}
        """ + management);
    return ConfigLoader.load(file, Map.of());
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  @DisplayName("tells its metrics there and changes the level of its log at once")
  void managed() throws Exception {
    Gateway gateway =
        Wait.on(Gateway.start(vertx, telemetry, config("management: {enabled: true, port: 0}\n")));
    String at = "http://127.0.0.1:" + gateway.managementPort();
    assertThat(send(HttpRequest.newBuilder(URI.create(at + "/metrics"))).body())
        .contains("ask_build_info{");
    assertThat(LoggerFactory.getLogger(NAME).isTraceEnabled()).isFalse();

    HttpResponse<String> made = send(HttpRequest.newBuilder(URI.create(at + "/loggers/" + NAME))
        .PUT(HttpRequest.BodyPublishers.ofString("{\"level\":\"TRACE\"}")));

    assertThat(made.statusCode()).isEqualTo(200);
    assertThat(LoggerFactory.getLogger(NAME).isTraceEnabled()).isTrue();
    Wait.on(gateway.close());
    assertThatThrownBy(() -> send(HttpRequest.newBuilder(URI.create(at + "/metrics"))))
        .isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("has none unless it is asked for, and refuses to have it at the door's port")
  void off() throws Exception {
    Gateway gateway = Wait.on(Gateway.start(vertx, telemetry, config("")));
    assertThat(gateway.managementPort()).isEqualTo(-1);
    Wait.on(gateway.close());
    assertThatThrownBy(() -> ConfigLoader.load(
            null,
            Map.of(
                "ASK_SURFACES", "edge",
                "ASK_EDGE_AUTH", "none",
                "ASK_EDGE_ACCOUNTING", "none",
                "ASK_MANAGEMENT_ENABLED", "true",
                "ASK_MANAGEMENT_PORT", "8080")))
        .hasMessageContaining("management.port")
        .hasMessageContaining("another one than http.port");
  }
}
