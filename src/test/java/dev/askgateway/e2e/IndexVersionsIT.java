package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.cli.Cli;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A change of the embedding model")
class IndexVersionsIT {
  private static final String OLD = EmbeddingServer.OLD;
  private static final String NEW = EmbeddingServer.NEW;

  @TempDir
  Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final EmbeddingServer server = new EmbeddingServer(vertx, 1);
  private String url;
  private Map<String, String> both;

  @BeforeEach
  void start() throws IOException {
    url = DevServices.shared().freshDatabase("versions");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    both = settings(OLD, NEW);
  }

  @AfterEach
  void stop() {
    server.close();
    Wait.on(vertx.close());
  }

  private Map<String, String> settings(String... models) throws IOException {
    Map<String, String> settings = new HashMap<>(server.settings(folder, models));
    settings.put("DATABASE_URL", url);
    settings.put("DATABASE_MIGRATION_URL", url);
    settings.put("REDIS_URL", DevServices.shared().redisUrl());
    return settings;
  }

  private int index(String... words) {
    String[] arguments = new String[words.length + 1];
    arguments[0] = "index";
    System.arraycopy(words, 0, arguments, 1, words.length);
    return Cli.run(arguments, both, config -> null, (vertx, limits) -> null);
  }

  private long number(String sql, Object... arguments) {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        PreparedStatement statement = owner.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private long vectors(String model) {
    return number(
        "SELECT count(*) FROM ask.conversation_message_embeddings WHERE embedding_profile_id = ?",
        model);
  }

  private void awaitVectors(long old, long next) {
    Await.until("both versions are complete", () -> vectors(OLD) == old && vectors(NEW) == next);
  }

  /** Asks until a question is embedded with that model; every answer on the way has its evidence. */
  private void awaitSearchedWith(Api api, String model) {
    Await.until("questions are embedded with " + model, () -> {
      JsonObject answer = api.ask(Samples.QUESTION + UUID.randomUUID());
      assertThat(answer.getString("answer")).contains("Casa Nopal");
      return server.lastQuestionModel().equals(model);
    });
  }

  private static JsonObject message(String id) {
    return Samples.message("wa-ana", "Ana Morales", id, "Something new " + id);
  }

  @Test
  @DisplayName(
      "builds beside the one that serves, serves within seconds of a cutover, and goes back, each time from a complete index")
  void forthAndBack() throws IOException {
    try (Node node = Node.start(both)) {
      Api api = Samples.withBooking(node);
      api.awaitIndex();
      awaitSearchedWith(api, OLD);
      assertThat(index("cutover")).isEqualTo(1);
      assertThat(index("rollback")).isEqualTo(1);

      assertThat(index("build", OLD)).as("it serves already").isEqualTo(1);
      assertThat(index("build")).isZero();
      assertThat(index("build")).as("it can be gone on with").isZero();
      api.imports(message("while-building"));
      awaitVectors(2, 2);
      awaitSearchedWith(api, OLD);
      assertThat(index("status")).isZero();

      Await.until("it can be cut over", () -> index("cutover") == 0);
      awaitSearchedWith(api, NEW);
      api.imports(message("after"));
      awaitVectors(3, 3);
      assertThat(index("build")).as("the old one is still kept").isEqualTo(1);

      assertThat(index("rollback")).isZero();
      awaitSearchedWith(api, OLD);
      api.imports(message("back"));
      api.awaitIndex();
      assertThat(vectors(OLD)).isEqualTo(4);
      assertThat(vectors(NEW)).as("what was given up gets no vectors").isEqualTo(3);

      assertThat(index("build")).isZero();
      awaitVectors(4, 4);
      number(
          "WITH aged AS (UPDATE ask.embedding_versions SET changed_at = now() - interval '1 hour' RETURNING 1) SELECT count(*) FROM aged");
      assertThat(index("rollback")).as("a build is given up").isZero();
      assertThat(index("remove")).isZero();
      assertThat(vectors(NEW)).as("too fresh to be removed").isEqualTo(4);
      number(
          "WITH aged AS (UPDATE ask.embedding_versions SET changed_at = now() - interval '1 hour' RETURNING 1) SELECT count(*) FROM aged");
      assertThat(index("remove")).isZero();
      assertThat(vectors(NEW)).isZero();
      assertThat(vectors(OLD)).isEqualTo(4);
    }
  }

  @Test
  @DisplayName(
      "waits for nodes that have not the model; one that starts later answers from words alone")
  void oldConfiguration() throws IOException {
    try (Node node = Node.start(both)) {
      Api api = Samples.withBooking(node);
      api.awaitIndex();
      assertThat(index("build")).isZero();
      awaitVectors(1, 1);
      try (Node old = Node.start(settings(OLD))) {
        assertThat(index("cutover")).isEqualTo(1);
        assertThat(old.port()).isPositive();
      }
      Await.until("the old node is forgotten", () -> index("cutover") == 0);
      awaitSearchedWith(api, NEW);

      try (Node old = Node.start(settings(OLD))) {
        Api there = new Api(old.port(), api.person());
        assertThat(there.ask(Samples.QUESTION).getString("answer")).contains("Casa Nopal");
        assertThat(server.lastQuestionModel()).as("it embeds no question").isEqualTo(NEW);
      }
    }
  }

  @Test
  @DisplayName("an edit is found by its new text within seconds, and what is deleted at once")
  void freshness() {
    try (Node node = Node.start(both)) {
      Api api = Samples.withBooking(node);
      api.awaitIndex();
      long begun = System.nanoTime();
      api.imports(Samples.booking()
          .put("text", "A sentence that was edited")
          .put("editedAt", java.time.Instant.now().toString()));
      api.awaitIndex();
      double seconds = (System.nanoTime() - begun) / 1e9;
      assertThat(vectors(OLD)).isEqualTo(1);

      long deleting = System.nanoTime();
      JsonObject gone = Samples.booking()
          .put("editedAt", java.time.Instant.now().toString())
          .put("deleted", true);
      gone.remove("text");
      api.imports(gone);
      double deleted = (System.nanoTime() - deleting) / 1e9;
      assertThat(vectors(OLD)).as("gone with the upload's own answer").isZero();
      JsonArray citations = api.ask(Samples.QUESTION).getJsonArray("citations");
      assertThat(citations).isEmpty();
      System.out.printf(
          "[index] an edit is searchable by meaning after %.2f s, a deletion is gone after %.2f s%n",
          seconds, deleted);
    }
  }
}
