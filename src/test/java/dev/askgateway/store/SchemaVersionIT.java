package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.devservices.DevServices;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@DisplayName("The schema")
class SchemaVersionIT {

  private static StoreConfig store() {
    String url = DevServices.shared().freshDatabase("schema");
    return new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("is as new as this build after a migration, and may be newer")
  void migrated(Vertx vertx) throws IOException {
    StoreConfig store = store();
    try (Stream<Path> files = Files.list(Path.of("sql"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".sql")))
          .hasSize(Migrations.newest());
    }
    new Migrations(store).migrate();
    Database database = new Database(vertx, store);
    assertThat(database.check().await()).isNull();
    assertThat(database.checkSchema(Migrations.newest()).await()).isNull();
    assertThat(database.checkSchema(Migrations.newest() - 1).await()).isNull();
  }

  @Test
  @DisplayName("is not ready while this build's newest migration is missing")
  void behind(Vertx vertx) throws SQLException {
    StoreConfig store = store();
    new Migrations(store).migrate();
    StoreConfig.Address owner = StoreConfig.Address.of("url", store.url());
    try (var connection =
        DriverManager.getConnection(owner.jdbc(), owner.user(), owner.password())) {
      connection
          .createStatement()
          .execute("UPDATE ask.flyway_schema_history SET success = false"
              + " WHERE version::integer = " + Migrations.newest());
    }
    Database database = new Database(vertx, store);
    assertThatThrownBy(() -> database.checkSchema(Migrations.newest()).await())
        .hasMessageContaining("this build needs " + Migrations.newest());
  }

  @Test
  @DisplayName("is not ready before any migration")
  void empty(Vertx vertx) {
    Database database = new Database(vertx, store());
    assertThatThrownBy(() -> database.checkSchema(Migrations.newest()).await())
        .isInstanceOf(GatewayError.class);
  }
}
