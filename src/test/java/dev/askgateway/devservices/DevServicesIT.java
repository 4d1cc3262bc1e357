package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DevServicesIT {

  @Test
  @DisplayName(
      "a fresh database takes pgvector, builds an HNSW index and answers by cosine distance")
  void vectorsWork() throws SQLException {
    var database = DatabaseUrl.parse(DevServices.shared().freshDatabase("vectors"));
    database.execute("CREATE EXTENSION vector");
    database.execute("CREATE TABLE point (name text, at vector(3))");
    database.execute(
        "INSERT INTO point VALUES ('east', '[1,0,0]'), ('north', '[0,1,0]'), ('up', '[0,0,1]')");
    database.execute("CREATE INDEX ON point USING hnsw (at vector_cosine_ops)");

    assertThat(column(database, "SELECT name FROM point ORDER BY at <=> '[0.2,0.9,0.1]' LIMIT 2"))
        .containsExactly("north", "east");
    assertThat(column(
            database,
            "SELECT round((at <=> '[0,2,0]')::numeric, 3)::text FROM point WHERE name = 'east'"))
        .containsExactly("1.000");
  }

  @Test
  @DisplayName("a fresh database is UTF-8, lowers letters beyond ASCII and has unaccent")
  void textWorks() throws SQLException {
    var database = DatabaseUrl.parse(DevServices.shared().freshDatabase("text"));
    database.execute("CREATE EXTENSION unaccent");

    assertThat(column(database, "SHOW server_encoding")).containsExactly("UTF8");
    assertThat(column(database, "SELECT lower('ÉCOLE ÜBER')")).containsExactly("école über");
    assertThat(column(database, "SELECT unaccent('école')")).containsExactly("ecole");
  }

  @Test
  @DisplayName("two fresh databases do not see each other's tables")
  void databasesAreIsolated() throws SQLException {
    var one = DatabaseUrl.parse(DevServices.shared().freshDatabase("Same name"));
    var other = DatabaseUrl.parse(DevServices.shared().freshDatabase("Same name"));
    one.execute("CREATE TABLE mine (id int)");

    assertThat(column(one, "SELECT count(*)::text FROM mine")).containsExactly("0");
    assertThatThrownBy(() -> column(other, "SELECT count(*)::text FROM mine"))
        .hasMessageContaining("\"mine\"");
  }

  @Test
  @DisplayName("a wrong password is refused: the server is not open to everyone on the machine")
  void passwordsCount() {
    var right = DatabaseUrl.parse(DevServices.shared().databaseUrl());
    var wrong = DatabaseUrl.of(
        "postgres", "wrong", right.uri().getHost(), right.uri().getPort(), "postgres");

    assertThatThrownBy(wrong::connect).hasMessageContaining("password authentication failed");
  }

  @Test
  @DisplayName("a stopped Redis refuses connections and comes back on the same port")
  void redisOutage() {
    assumeFalse(System.getenv().containsKey("REDIS_URL"), "a given Redis is not ours to stop");
    var services = DevServices.shared();
    var before = URI.create(services.redisUrl());
    assertThat(RedisPing.answers(before.getHost(), before.getPort())).isTrue();

    services.stopRedis();
    assertThat(RedisPing.answers(before.getHost(), before.getPort())).isFalse();

    services.startRedis();
    assertThat(services.redisUrl()).isEqualTo(before.toString());
    assertThat(RedisPing.answers(before.getHost(), before.getPort())).isTrue();
  }

  @Test
  @DisplayName(
      "given servers are used as they are, and databases created there are dropped at the end")
  void givenServers() throws SQLException {
    var shared = DatabaseUrl.parse(DevServices.shared().databaseUrl());
    var given = new DevServicesOptions(
        Optional.of(shared.toString()),
        Optional.of(DevServices.shared().redisUrl()),
        true,
        Path.of("/nowhere"),
        false);
    var messages = new ArrayList<String>();
    String fresh;
    try (var services = DevServices.start(given, messages::add)) {
      assertThat(services.databaseUrl()).isEqualTo(shared.toString());
      fresh = DatabaseUrl.parse(services.freshDatabase("guest")).uri().getPath().substring(1);
      assertThat(databases(shared)).contains(fresh);
    }
    assertThat(databases(shared)).doesNotContain(fresh);
    assertThat(messages)
        .hasSize(3)
        .noneMatch(line -> line.contains(String.valueOf(shared.uri().getUserInfo())));
  }

  private static List<String> databases(DatabaseUrl server) throws SQLException {
    return column(server, "SELECT datname FROM pg_database");
  }

  static List<String> column(DatabaseUrl database, String query) throws SQLException {
    try (var connection = database.connect();
        var sql = connection.createStatement();
        var rows = sql.executeQuery(query)) {
      var values = new ArrayList<String>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
