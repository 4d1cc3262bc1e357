package dev.askgateway.e2e;

import dev.askgateway.cli.Cli;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A database of its own with an operator at its command line, whose changes no other test meets. */
record Operated(String url, Map<String, String> settings) {

  /** @param settings of its nodes and of the command line, keys as in the environment */
  static Operated with(String name, Map<String, String> settings) {
    String url = DevServices.shared().freshDatabase(name);
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    Map<String, String> all = new HashMap<>(settings);
    all.put("DATABASE_URL", url);
    all.put("DATABASE_MIGRATION_URL", url);
    all.put("REDIS_URL", DevServices.shared().redisUrl());
    all.put("ASK_ROLLOUT_INTERVAL", "50ms");
    return new Operated(url, all);
  }

  Node start() {
    return Node.start(settings);
  }

  /** The exit code of a command. */
  int run(String... arguments) {
    return Cli.run(arguments, settings, config -> null, (vertx, limits) -> null);
  }

  /** The one text that a query gives, as the owner. */
  String text(String sql, Object... arguments) {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        PreparedStatement statement = owner.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Settings without that one. */
  static Map<String, String> without(Map<String, String> settings, String name) {
    Map<String, String> others = new HashMap<>(settings);
    others.remove(name);
    return others;
  }

  /** What readiness of a node says under a name. */
  static Object ready(Node node, String name) {
    return node.as(Person.unknown()).get("/health/ready").json().getValue(name);
  }

  /** The value of a series of a node, NaN when it is not there. */
  static double metric(Node node, String series) {
    return node.as(Person.unknown())
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }
}
