package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Stored price books")
class PriceRepositoryIT {
  private static final LocalDate DAY = LocalDate.of(2026, 12, 1);
  private static final String IN_USE = "AG410";

  private static Vertx vertx;
  private static PriceRepository books;
  private static Connection owner;

  @BeforeAll
  static void start() throws SQLException {
    String url = DevServices.shared().freshDatabase("price_books");
    StoreConfig store = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    vertx = Vertx.vertx();
    books = new PriceRepository(new Database(vertx, store));
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    run("SET search_path = ask, public");
    assertThat(add("standing", 'a')).isTrue();
  }

  @AfterAll
  static void stop() throws SQLException {
    owner.close();
    Wait.on(vertx.close());
  }

  private static void run(String statement) throws SQLException {
    try (Statement one = owner.createStatement()) {
      one.execute(statement);
    }
  }

  private static Future<Boolean> adding(String id, char digit) {
    String hash = String.valueOf(digit).repeat(64);
    return books.add(
        id + "@" + DAY + "#" + hash.substring(0, 16),
        id,
        DAY,
        hash,
        new JsonObject().put("of", String.valueOf(digit)));
  }

  private static boolean add(String id, char digit) {
    return Wait.on(adding(id, digit));
  }

  @Test
  @DisplayName("are there once, in the order they came")
  void once() {
    assertThat(add("one", 'b')).isTrue();
    assertThat(add("two", 'c')).isTrue();
    assertThat(add("one", 'b')).isFalse();

    assertThat(Wait.on(books.all()).stream().map(PriceRepository.Stored::hash))
        .containsSubsequence("a".repeat(64), "b".repeat(64), "c".repeat(64))
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("cannot be said otherwise under the same id and day")
  void changed() {
    assertThat(add("firm", 'd')).isTrue();

    assertThatThrownBy(() -> add("firm", 'e'))
        .isInstanceOfSatisfying(GatewayError.class, refused -> assertThat(refused.code())
            .isEqualTo(GatewayError.Code.REQUEST_CONFLICT))
        .hasMessageContaining("firm of 2026-12-01")
        .hasMessageContaining("a version in use cannot change");
  }

  @Test
  @DisplayName("of many that come at once one is in, and who brought another is told")
  void atOnce() {
    List<Future<String>> asked = new ArrayList<>();
    for (char digit : "0101010101010101".toCharArray()) {
      asked.add(adding("raced", digit).map(added -> added ? "in" : "same").otherwise("other"));
    }
    Wait.on(Future.join(asked));

    List<String> told = asked.stream().map(Future::result).toList();
    assertThat(told).filteredOn("in"::equals).hasSize(1);
    assertThat(told).filteredOn("same"::equals).hasSize(7);
    assertThat(told).filteredOn("other"::equals).hasSize(8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE price_books SET content = '{}'",
        "UPDATE price_books SET valid_from = '2027-01-01' WHERE id = 'nobody'",
        "DELETE FROM price_books",
        "TRUNCATE price_books",
        "INSERT INTO price_books (version, id, valid_from, hash, content) SELECT version, id,"
            + " valid_from, hash, content FROM price_books WHERE id = 'standing'"
            + " ON CONFLICT (version) DO UPDATE SET content = '{}'",
        "INSERT INTO price_books (version, id, valid_from, hash, content)"
            + " VALUES ('standing@2026-12-01#' || repeat('f', 16), 'standing', '2026-12-01',"
            + " repeat('f', 64), '{}')"
      })
  @DisplayName("are not the owner's to change either")
  void forTheOwner(String statement) {
    assertThatThrownBy(() -> run(statement))
        .hasMessageContaining("a version in use cannot change")
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(refused.getSQLState()).isEqualTo(IN_USE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "('x@2026-12-01#' || repeat('e', 16), 'x', '2026-12-01', repeat('f', 64), '{}')",
        "('x@2026-12-02#' || repeat('f', 16), 'x', '2026-12-01', repeat('f', 64), '{}')",
        "('x y@2026-12-01#' || repeat('f', 16), 'x y', '2026-12-01', repeat('f', 64), '{}')",
        "('x@2026-12-01#' || repeat('g', 16), 'x', '2026-12-01', repeat('g', 64), '{}')",
        "('x@2026-12-01#' || repeat('f', 16), 'x', '2026-12-01', repeat('f', 64), '[]')"
      })
  @DisplayName("bear the version that their id, day and hash make")
  void versions(String values) {
    assertThatThrownBy(() -> run(
            "INSERT INTO price_books (version, id, valid_from, hash, content) VALUES " + values))
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(refused.getSQLState()).isEqualTo("23514"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE price_books SET loaded_at = now()",
        "DELETE FROM price_books",
        "TRUNCATE price_books",
        "ALTER TABLE price_books DISABLE TRIGGER stays"
      })
  @DisplayName("may be read and added to by the gateway's role, no more")
  void forTheGateway(String statement) throws SQLException {
    run("SET ROLE ask_gateway");
    try {
      assertThatThrownBy(() -> run(statement))
          .isInstanceOfSatisfying(
              SQLException.class, denied -> assertThat(denied.getSQLState()).isEqualTo("42501"));
    } finally {
      run("RESET ROLE");
    }
  }
}
