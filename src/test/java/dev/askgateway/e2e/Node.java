package dev.askgateway.e2e;

import dev.askgateway.Gateway;
import dev.askgateway.cli.OwnVertx;
import dev.askgateway.cli.Server;
import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.intake.Tokens;
import dev.askgateway.provider.Wait;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;

/**
 * A whole gateway on a free port, as production composes it. While one runs its logs are watched;
 * closing it asserts that they held none of the secret words.
 */
final class Node implements AutoCloseable {
  private final Server.Running running;
  private final LogWatch logs;
  private boolean closed;

  private Node(Server.Running running, LogWatch logs) {
    this.running = running;
    this.logs = logs;
  }

  /** Starts one with these settings, keys as in the environment. */
  static Node start(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("DATABASE_URL", Data.url());
    environment.put("DATABASE_MIGRATION_URL", Data.url());
    environment.put("REDIS_URL", DevServices.shared().redisUrl());
    environment.put("ASK_HTTP_HOST", "127.0.0.1");
    environment.put("ASK_HTTP_PORT", "0");
    environment.put("ASK_HTTP_INSTANCES", "2");
    environment.put("ASK_ADMISSION_ENABLED", "false"); // a test's machine is late by other things
    environment.put("ASK_HTTP_DRAIN_GRACE", "0s"); // no balancer has to find out
    environment.put("ASK_AUTH_SECRET", Tokens.SECRET);
    environment.put("ASK_AUTH_ISSUER", Tokens.ISSUER);
    environment.put("ASK_AUTH_AUDIENCE", Tokens.AUDIENCE);
    environment.put("ASK_INDEXING_POLL_INTERVAL", "100ms");
    environment.put("ASK_LIMITS_ASK_PER_MINUTE", "1000000"); // one person asks much in a test
    environment.put("ASK_LIMITS_ASK_BURST", "100000");
    environment.put("ASK_LIMITS_ASK_CONCURRENT", "1000");
    environment.put("ASK_LIMITS_OTHER_PER_MINUTE", "1000000");
    environment.put("ASK_LIMITS_OTHER_BURST", "100000");
    environment.put("ASK_LIMITS_ADDRESS_BURST", "100000");
    environment.putAll(settings);
    GatewayConfig config = ConfigLoader.load(null, environment);
    LogWatch logs = LogWatch.open();
    Telemetry telemetry = Gateway.telemetry(config);
    return new Node(
        Wait.on(OwnVertx.start(
            telemetry.vertxBuilder().build(), vertx -> Gateway.start(vertx, telemetry, config))),
        logs);
  }

  static Node start() {
    return start(Map.of());
  }

  int port() {
    return running.port();
  }

  Api as(Person person) {
    return new Api(port(), person);
  }

  LogWatch logs() {
    return logs;
  }

  /** Stops it as a signal does, without waiting. */
  Future<Void> stop() {
    closed = true;
    return running.close();
  }

  @Override
  public void close() {
    try {
      if (!closed) {
        Wait.on(stop());
      }
      logs.isSilentOf(Words.SECRET);
    } finally {
      logs.close();
    }
  }
}
