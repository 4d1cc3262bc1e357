package dev.askgateway.devservices;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/**
 * A {@code postgresql://user:password@host:port/db} address, kept as written.
 *
 * @param uri the address
 */
record DatabaseUrl(URI uri) {

  DatabaseUrl {
    if (uri.getHost() == null
        || !("postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme()))) {
      throw new DevServicesException(
          "DATABASE_URL does not look like postgresql://user:password@host:port/database.", null);
    }
  }

  static DatabaseUrl parse(String text) {
    try {
      return new DatabaseUrl(URI.create(text));
    } catch (IllegalArgumentException malformed) {
      // The parser's message repeats the text and with it the password.
      throw new DevServicesException(
          "DATABASE_URL does not look like postgresql://user:password@host:port/database.", null);
    }
  }

  static DatabaseUrl of(String user, String password, String host, int port, String database) {
    return parse(
        "postgresql://" + user + ":" + password + "@" + host + ":" + port + "/" + database);
  }

  /** The same server and login, another database. */
  DatabaseUrl withDatabase(String name) {
    var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return parse(uri.getScheme() + "://" + uri.getRawAuthority() + "/" + name + query);
  }

  /** The address without login: what a message may show. */
  String shown() {
    return uri.getHost() + ":" + port() + uri.getPath();
  }

  /** Opens a JDBC connection; without DriverManager, whose view of drivers depends on the class loader. */
  Connection connect() throws SQLException {
    var login = new Properties();
    var userInfo = uri.getUserInfo();
    if (userInfo != null) {
      var colon = userInfo.indexOf(':');
      login.setProperty("user", colon < 0 ? userInfo : userInfo.substring(0, colon));
      if (colon >= 0) {
        login.setProperty("password", userInfo.substring(colon + 1));
      }
    }
    login.setProperty("loginTimeout", "10");
    var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    var connection = new org.postgresql.Driver()
        .connect(
            "jdbc:postgresql://" + uri.getHost() + ":" + port() + uri.getRawPath() + query, login);
    if (connection == null) {
      throw new SQLException("the driver does not accept the address " + shown());
    }
    return connection;
  }

  void execute(String statement) throws SQLException {
    try (var connection = connect();
        var sql = connection.createStatement()) {
      sql.execute(statement);
    }
  }

  @Override
  public String toString() {
    return uri.toString();
  }

  private int port() {
    return uri.getPort() < 0 ? 5432 : uri.getPort();
  }
}
