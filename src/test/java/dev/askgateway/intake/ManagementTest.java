package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.askgateway.core.StandingDelay;
import dev.askgateway.intake.admission.AdmissionConfig;
import dev.askgateway.intake.admission.AdmissionListener;
import dev.askgateway.intake.admission.Admissions;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The operator's own listener")
class ManagementTest {
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ManagementDoor> doors = new ArrayList<>(); // held, or Vert.x closes them
  private final Map<String, String> set = new ConcurrentHashMap<>();

  private final ManagementDoor.Levels levels = new ManagementDoor.Levels() {
    @Override
    public Optional<ManagementDoor.Level> of(String name) {
      return name.startsWith("dev.askgateway")
          ? Optional.of(
              new ManagementDoor.Level(name, set.get(name), set.getOrDefault(name, "INFO")))
          : Optional.empty();
    }

    @Override
    public Optional<ManagementDoor.Level> set(String name, @Nullable String level) {
      if (of(name).isEmpty()) {
        return Optional.empty();
      }
      if (level == null) {
        set.remove(name);
      } else if (all().contains(level)) {
        set.put(name, level);
      } else {
        throw new IllegalArgumentException(level);
      }
      return of(name);
    }

    @Override
    public List<String> all() {
      return List.of("INFO", "DEBUG");
    }
  };

  @AfterEach
  void close() {
    Wait.on(vertx.close());
  }

  private ManagementDoor open(boolean enabled, String host) {
    ManagementDoor door = new ManagementDoor(
        vertx,
        new ManagementConfig(enabled, host, 0),
        new Health(
            Map.of("postgres", new Health.Check(true, () -> Future.failedFuture("down"))),
            new Admissions(
                AdmissionConfig.OFF,
                true,
                true,
                new StandingDelay(),
                () -> 0,
                AdmissionListener.NONE)),
        () -> "up 1\n",
        levels);
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
    assertThat(send(at("127.0.0.1", door, "/health/ready")).statusCode()).isEqualTo(503);
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
    HttpResponse<String> made = put(door, "dev.askgateway.X", "{\"level\":\"DEBUG\"}");
    assertThat(made.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(made.body()))
        .isEqualTo(new JsonObject()
            .put("name", "dev.askgateway.X")
            .put("level", "DEBUG")
            .put("effectiveLevel", "DEBUG"));
    assertThat(send(at("127.0.0.1", door, "/loggers/dev.askgateway.X")).body())
        .isEqualTo(made.body());
    assertThat(put(door, "dev.askgateway.X", "{\"level\":null}").body()).contains("\"level\":null");
    assertThat(set).isEmpty();
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
      HttpResponse<String> refused = put(door, "dev.askgateway.X", body);
      assertThat(refused.statusCode()).as(body).isEqualTo(400);
      assertThat(refused.body()).as(body).contains("INFO, DEBUG");
    }
    assertThat(put(door, "dev.askgateway.X", " ".repeat(2_000)).statusCode()).isEqualTo(413);
    assertThat(set).isEmpty();
  }

  @Test
  @DisplayName("lets nobody change a level from another machine, wherever it listens")
  void fromElsewhere() throws Exception {
    String own = ownAddress();
    assumeTrue(own != null, "this machine has no address but its loopback");
    ManagementDoor door = open(true, "0.0.0.0");
    HttpResponse<String> refused = send(at(own, door, "/loggers/dev.askgateway.X")
        .PUT(HttpRequest.BodyPublishers.ofString("{\"level\":\"DEBUG\"}")));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(set).isEmpty();
    assertThat(send(at(own, door, "/metrics")).statusCode()).isEqualTo(200);
    assertThat(put(door, "dev.askgateway.X", "{\"level\":\"DEBUG\"}").statusCode())
        .isEqualTo(200);
  }

  private static @Nullable String ownAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse(null);
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
