package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.intake.Door.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OperationsTest {
  private final AtomicBoolean postgres = new AtomicBoolean(true);
  private final AtomicBoolean redis = new AtomicBoolean(true);
  private Door door;

  @BeforeEach
  void open() {
    door = new Door();
    door.health = Map.of(
        "postgres", new Health.Check(true, () -> state(postgres)),
        "redis", new Health.Check(false, () -> state(redis)));
    door.open();
  }

  @AfterEach
  void close() {
    door.close();
  }

  private static Future<Void> state(AtomicBoolean up) {
    return up.get()
        ? Future.succeededFuture()
        : Future.failedFuture("password=hunter2 refused by 10.0.0.7");
  }

  @Test
  @DisplayName(
      "readiness names each part, degrades without an optional one, fails without a required one")
  void readiness() {
    assertThat(door.send(door.request("/health/live").GET()).status()).isEqualTo(200);
    Answer up = door.send(door.request("/health/ready").GET());
    assertThat(up.status()).isEqualTo(200);
    assertThat(up.json().getBoolean("degraded")).isFalse();
    redis.set(false);
    Answer degraded =
        door.send(door.request("/health/ready").header("Accept", "text/html").GET());
    assertThat(degraded.status()).isEqualTo(200);
    assertThat(degraded.json())
        .isEqualTo(new JsonObject()
            .put("status", "degraded")
            .put("degraded", true)
            .put("checks", new JsonObject().put("postgres", "up").put("redis", "down"))
            .put("admission", door.admissions.toJson()));
    postgres.set(false);
    Answer down = door.send(door.request("/health/ready").GET());
    assertThat(down.status()).isEqualTo(503);
    assertThat(down.json().getString("status")).isEqualTo("down");
    assertThat(down.text()).doesNotContain("hunter2").doesNotContain("10.0.0.7");
    assertThat(door.send(door.request("/health/live").GET()).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("a part that never answers counts as down instead of hanging the probe")
  void hangingProbe() {
    try (Door hanging = new Door()) {
      hanging.health = Map.of(
          "postgres", new Health.Check(true, () -> Promise.<Void>promise().future()));
      hanging.open();
      assertThat(hanging.send(hanging.request("/health/ready").GET()).status()).isEqualTo(503);
    }
  }

  @Test
  @DisplayName("metrics and the contract are served as they are, without a token")
  void documents() {
    Answer metrics = door.send(door.request("/metrics").GET());
    assertThat(metrics.text()).isEqualTo("up 1\n");
    assertThat(metrics.header("content-type")).startsWith("text/plain; version=0.0.4");
    Answer contract =
        door.send(door.request("/openapi.yaml").header("Accept", "text/html").GET());
    assertThat(contract.status()).isEqualTo(200);
    assertThat(contract.text()).startsWith("openapi: 3.1.0").contains("application/x-ndjson");
  }

  @Test
  @DisplayName("limits that cannot be right stop the start with key, value and rule")
  void configuration() {
    assertThatThrownBy(() -> Door.config(5, List.of()))
        .hasMessage("http.maxBodyBytes is 5; it must be 1024 to 104857600");
    for (String origin : List.of("*", "https://a.test/", "app.test", "", "https://*.test")) {
      assertThatThrownBy(() -> Door.config(4096, List.of(origin)))
          .hasMessageStartingWith("http.corsOrigins is");
    }
  }
}
