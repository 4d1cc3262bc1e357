package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.askgateway.intake.admission.Everybody;
import dev.askgateway.provider.Wait;
import dev.askgateway.telemetry.LogLevels;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@DisplayName("The operator's own listener")
class ManagementTest {
  private static final String NAME = "dev.askgateway.management.X";

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ManagementDoor> doors = new ArrayList<>(); // held, or Vert.x closes them
  private final Logger logger =
      LoggerFactory.getLogger(NAME); // held: only loggers in use are known

  @AfterEach
  void close() {
    LogLevels.set(NAME, null);
    Wait.on(vertx.close());
  }

  private ManagementDoor open(boolean enabled, String host) {
    ManagementDoor door = new ManagementDoor(
        vertx,
        new ManagementConfig(enabled, host, 0),
        new Health(
            Map.of("postgres", new Health.Check(true, () -> Future.failedFuture("down"))),
            Everybody.admissions(),
            () -> new JsonObject().put("models", "off")),
        () -> "up 1\n");
    doors.add(door);
    Wait.on(door.open());
    return door;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder at(String host, ManagementDoor door, String path) {
    return HttpRequest.newBuilder(URI.create("http://" + host + ":" + door.port() + path));
  }

  private HttpResponse<String> put(ManagementDoor door, String name, String body) throws Exception {
    return send(
        at("127.0.0.1", door, "/loggers/" + name).PUT(HttpRequest.BodyPublishers.ofString(body)));
  }

  @Test
  @DisplayName("is not there unless it is asked for")
  void off() {
    assertThat(open(false, "127.0.0.1").port()).isEqualTo(-1);
  }

  @Test
  @DisplayName("tells health and metrics as the door does")
  void healthAndMetrics() throws Exception {
    ManagementDoor door = open(true, "127.0.0.1");
    assertThat(send(at("127.0.0.1", door, "/health/live")).statusCode()).isEqualTo(200);
    HttpResponse<String> ready = send(at("127.0.0.1", door, "/health/ready"));
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(new JsonObject(ready.body()).getString("models")).isEqualTo("off");
    HttpResponse<String> metrics = send(at("127.0.0.1", door, "/metrics"));
    assertThat(metrics.body()).isEqualTo("up 1\n");
    assertThat(metrics.headers().firstValue("content-type"))
        .get()
        .asString()
        .startsWith("text/plain; version=0.0.4");
  }

  @Test
  @DisplayName("tells and sets the level of a logger, and gives it back with null")
  void level() throws Exception {
    ManagementDoor door = open(true, "127.0.0.1");
    HttpResponse<String> made = put(door, NAME, "{\"level\":\"DEBUG\"}");
    assertThat(made.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(made.body()))
        .isEqualTo(new JsonObject()
            .put("name", NAME)
            .put("level", "DEBUG")
            .put("effectiveLevel", "DEBUG"));
    assertThat(send(at("127.0.0.1", door, "/loggers/" + NAME)).body()).isEqualTo(made.body());
    assertThat(put(door, NAME, "{\"level\":null}").body()).contains("\"level\":null");
    assertThat(own()).isNull();
  }

  @Test
  @DisplayName("refuses other loggers, other levels and other bodies, in one sentence")
  void refusals() throws Exception {
    ManagementDoor door = open(true, "127.0.0.1");
    assertThat(put(door, "io.netty", "{\"level\":\"DEBUG\"}").statusCode()).isEqualTo(404);
    assertThat(send(at("127.0.0.1", door, "/loggers/io.netty")).statusCode()).isEqualTo(404);
    for (String body :
        new String[] {"{\"level\":\"LOUD\"}", "{\"level\":7}", "{}", "[]", "", "{\"level\"", "null"
        }) {
      HttpResponse<String> refused = put(door, NAME, body);
      assertThat(refused.statusCode()).as(body).isEqualTo(400);
      assertThat(refused.body()).as(body).contains("OFF, ERROR, WARN, INFO, DEBUG, TRACE");
    }
    assertThat(put(door, NAME, " ".repeat(2_000)).statusCode()).isEqualTo(413);
    assertThat(own()).isNull();
  }

  @Test
  @DisplayName("lets a level be changed from this machine, by whichever of its addresses")
  void fromHere() throws Exception {
    String own = ownAddress();
    assumeTrue(own != null, "this machine has no address but its loopback");
    ManagementDoor door = open(true, "0.0.0.0");
    assertThat(send(at(own, door, "/loggers/" + NAME)
                .PUT(HttpRequest.BodyPublishers.ofString("{\"level\":\"DEBUG\"}")))
            .statusCode())
        .isEqualTo(200);
    assertThat(put(door, NAME, "{\"level\":\"INFO\"}").statusCode()).isEqualTo(200);
    assertThat(own()).isEqualTo("INFO");
  }

  @Test
  @DisplayName("lets nobody change a level who comes from another address, and still tells")
  void fromElsewhere() throws Exception {
    String own = ownAddress();
    assumeTrue(own != null, "this machine has no address but its loopback");
    ManagementDoor door = open(true, "0.0.0.0");
    String body = "{\"level\":\"DEBUG\"}";
    assertThat(statusFrom(
            own,
            door,
            "PUT /loggers/" + NAME + " HTTP/1.1\r\nContent-Length: " + body.length(),
            body))
        .isEqualTo("HTTP/1.1 403 Forbidden");
    assertThat(own()).isNull();
    assertThat(statusFrom(own, door, "GET /metrics HTTP/1.1", "")).isEqualTo("HTTP/1.1 200 OK");
  }

  /** Of a request that comes to the loopback from that address. */
  private static String statusFrom(String own, ManagementDoor door, String head, String body)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", door.port(), InetAddress.getByName(own), 0)) {
      socket
          .getOutputStream()
          .write((head + "\r\nHost: x\r\nConnection: close\r\n\r\n" + body)
              .getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  private @Nullable String own() {
    return LogLevels.of(logger.getName()).orElseThrow().level();
  }

  /** One whose connections to itself come from itself: those of a container engine may be rewritten. */
  private static @Nullable String ownAddress() throws IOException {
    List<InetAddress> all = NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .toList();
    for (InetAddress one : all) {
      try (ServerSocket server = new ServerSocket(0, 1, one);
          Socket there = new Socket(one, server.getLocalPort());
          Socket here = server.accept()) {
        if (there.isConnected() && here.getInetAddress().equals(one)) {
          return one.getHostAddress();
        }
      }
    }
    return null;
  }

  @Test
  @DisplayName("has an address and a port that can be")
  void limits() {
    assertThatThrownBy(() -> new ManagementConfig(true, " ", 1))
        .hasMessageContaining("management.host");
    assertThatThrownBy(() -> new ManagementConfig(true, "h", 70_000))
        .hasMessageContaining("management.port is 70000; it must be 0 to 65535");
  }
}
