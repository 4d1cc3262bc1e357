package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MigrationsIT {
  private static StoreConfig config(String url, String role) {
    return new StoreConfig(url, url, "ask", role, 1, Duration.ofSeconds(5));
  }

  @Test
  @DisplayName(
      "five nodes that start at once on an empty database, and two on others with a new role, all come up")
  void manyNodes() throws Exception {
    String role = "ask_race";
    String url = DevServices.shared().freshDatabase("race");
    String second = DevServices.shared().freshDatabase("race");
    List<Callable<Integer>> starts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      starts.add(() -> new Migrations(config(url, role)).migrate());
    }
    for (int i = 0; i < 2; i++) {
      starts.add(() -> new Migrations(config(second, role)).migrate());
    }
    ExecutorService nodes = Executors.newFixedThreadPool(starts.size());
    int applied = 0;
    try {
      for (Future<Integer> node : nodes.invokeAll(starts)) {
        applied += node.get();
      }
    } finally {
      nodes.shutdown();
    }

    int newest = Migrations.newest();
    assertThat(applied).isEqualTo(2 * newest);
    assertThat(new Migrations(config(url, role)).migrate()).isZero();
  }

  @Test
  @DisplayName("a login that is no superuser, on a database prepared for it, migrates and serves")
  void plainLogin() throws Exception {
    String url = DevServices.shared().freshDatabase("plain");
    StoreConfig.Address owner = StoreConfig.Address.of("database.url", url);
    try (Connection superuser =
            DriverManager.getConnection(owner.jdbc(), owner.user(), owner.password());
        Statement prepare = superuser.createStatement()) {
      prepare.execute("CREATE ROLE ask_plain LOGIN CREATEROLE PASSWORD 'plain'");
      prepare.execute("ALTER DATABASE " + owner.database() + " OWNER TO ask_plain");
      prepare.execute("CREATE EXTENSION vector");
    }
    StoreConfig plain = config(
        "postgresql://ask_plain:plain@" + owner.host() + ":" + owner.port() + "/"
            + owner.database(),
        "ask_plain_gateway");

    assertThat(new Migrations(plain).migrate()).isEqualTo(Migrations.newest());
    Vertx vertx = Vertx.vertx();
    Database database = new Database(vertx, plain);
    database
        .check()
        .compose(bound -> database.checkSchema(Migrations.newest()))
        .eventually(database::close)
        .toCompletionStage()
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }
}
