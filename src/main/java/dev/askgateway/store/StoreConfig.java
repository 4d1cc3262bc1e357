package dev.askgateway.store;

import dev.askgateway.core.Rule;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Where the data is and how it is reached.
 *
 * @param url {@code postgresql://user:password@host:port/database}, for the gateway
 * @param migrationUrl the same for the owner of the tables, who migrates
 * @param schema the schema of all tables
 * @param role the role the gateway works as; row-level security must hold for it
 * @param poolSize connections of this process
 * @param acquireTimeout longest wait for a connection, on every path
 */
public record StoreConfig(
    String url,
    String migrationUrl,
    String schema,
    String role,
    int poolSize,
    Duration acquireTimeout) {

  public StoreConfig {
    Address.of("database.url", url);
    Address.of("database.migrationUrl", migrationUrl);
    requireName("database.schema", schema);
    requireName("database.role", role);
    Rule.range("database.poolSize", poolSize, 1, 1000);
    Rule.range(
        "database.acquireTimeout", acquireTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
  }

  private static void requireName(String key, String value) {
    Rule.require(value.matches("[a-z_][a-z0-9_]{0,62}"), key, value, "a plain lower-case SQL name");
  }

  /** The password is not part of it. */
  @Override
  public String toString() {
    return "StoreConfig[" + Address.of("database.url", url) + ", schema=" + schema + ", role="
        + role + "]";
  }

  /** A database URL taken apart; its text form hides the password. */
  public record Address(
      String host, int port, String database, String user, String password, String query) {

    /** Accepts {@code postgres://} and {@code postgresql://}. Never repeats the value in an error: it holds a password. */
    public static Address of(String key, String url) {
      URI uri;
      try {
        uri = new URI(url);
      } catch (URISyntaxException notAnUri) {
        throw bad(key);
      }
      boolean postgres = "postgres".equals(uri.getScheme()) || "postgresql".equals(uri.getScheme());
      String path = uri.getPath();
      String login = uri.getRawUserInfo();
      if (!postgres
          || uri.getHost() == null
          || path == null
          || path.length() < 2
          || login == null) {
        throw bad(key);
      }
      int colon = login.indexOf(':');
      String user = decode(colon < 0 ? login : login.substring(0, colon));
      String password = colon < 0 ? "" : decode(login.substring(colon + 1));
      String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
      return new Address(
          uri.getHost(),
          uri.getPort() < 0 ? 5432 : uri.getPort(),
          path.substring(1),
          user,
          password,
          query);
    }

    private static String decode(String part) {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException bad(String key) {
      return new IllegalArgumentException(key
          + " is not a database address; it must be postgresql://user:password@host:port/database");
    }

    /** The address for JDBC, without user and password. */
    public String jdbc() {
      return "jdbc:postgresql://" + host + ":" + port + "/" + database
          + (query.isEmpty() ? "" : "?" + query);
    }

    @Override
    public String toString() {
      return "postgresql://" + user + ":***@" + host + ":" + port + "/" + database;
    }
  }
}
