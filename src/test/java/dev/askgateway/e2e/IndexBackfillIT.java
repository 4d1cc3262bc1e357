package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway in a process of its own fills an index over HTTP and is killed on the way; how much of it is
 * set with {@code -Dbackfill.messages} and {@code -Dbackfill.persons}.
 */
@DisplayName("When a gateway that fills an index is killed")
class IndexBackfillIT {
  private static final int MESSAGES = Integer.getInteger("backfill.messages", 3_000);
  private static final int PERSONS = Integer.getInteger("backfill.persons", 50);
  private static final int CALLS = 2;
  private static final int BATCH = 64;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir
  Path folder;

  @Test
  @DisplayName(
      "the next one goes on: no text is embedded twice but those of a call for each worker, and calls are full")
  void resumes() throws Exception {
    String url = DevServices.shared().freshDatabase("backfill");
    new Migrations(new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5)))
        .migrate();
    fill(url);
    Vertx vertx = Vertx.vertx();
    try (EmbeddingServer server =
        new EmbeddingServer(vertx, Integer.getInteger("backfill.millis", 30))) {
      Map<String, String> settings =
          new HashMap<>(server.settings(folder, EmbeddingServer.OLD, EmbeddingServer.NEW));
      settings.put("DATABASE_URL", url);
      settings.put("DATABASE_MIGRATION_URL", url);
      settings.put("REDIS_URL", DevServices.shared().redisUrl());
      settings.put("ASK_INDEXING_CONCURRENCY", String.valueOf(CALLS));
      settings.put("ASK_INDEXING_BATCH_SIZE", String.valueOf(BATCH));
      settings.put("ASK_INDEXING_LEASE", "2s");
      try (GatewayProcess gateway =
          new GatewayProcess(settings, Path.of("target", "backfill.log"))) {
        until("half is embedded", () -> server.counts().size() >= MESSAGES / 2);
        int atKill = server.counts().size();
        gateway.killAndStart();
        int calls = server.calls().size();
        until("it goes on", () -> server.calls().size() > calls);
        long begun = System.nanoTime();
        until("all is indexed", () -> number(url, "SELECT count(*) FROM ask.embedding_jobs") == 0);
        double seconds = (System.nanoTime() - begun) / 1e9;
        check(url, server, atKill, seconds);
      }
    } finally {
      Wait.on(vertx.close());
    }
  }

  private static void check(String url, EmbeddingServer server, int atKill, double seconds) {
    int embedded = server.counts().values().stream().mapToInt(Integer::intValue).sum();
    double texts = (double) embedded / server.calls().size();
    int largest =
        server.calls().stream().mapToInt(call -> call.texts().size()).max().orElse(0);
    System.out.printf(
        "[backfill] messages %d, persons %d, killed at %d, repeated %d, requests %d, texts a request"
            + " %.1f (most %d), after the kill %.0f messages/s%n",
        MESSAGES,
        PERSONS,
        atKill,
        embedded - MESSAGES,
        server.calls().size(),
        texts,
        largest,
        (MESSAGES - atKill) / seconds);
    assertThat(server.counts()).hasSize(MESSAGES);
    assertThat(embedded - MESSAGES).isBetween(0, CALLS * BATCH);
    assertThat(texts).isGreaterThanOrEqualTo(32);
    assertThat(largest).isLessThanOrEqualTo(BATCH);
    assertThat(number(url, "SELECT count(*) FROM ask.conversation_message_embeddings"))
        .isEqualTo(MESSAGES);
    assertThat(number(
            url,
            "SELECT count(*) FROM ask.conversation_assistant_index_state"
                + " WHERE status = 'ready' AND indexed_count = total_count"))
        .isEqualTo(PERSONS);
  }

  /** As ingestion writes them; each text is there once. */
  private static void fill(String url) throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        PreparedStatement ingest =
            owner.prepareStatement("SELECT ask.ingest_messages(?, ?::jsonb)")) {
      int number = 0;
      for (int person = 0; person < PERSONS; person++) {
        JsonArray lines = new JsonArray();
        int end = (int) ((long) MESSAGES * (person + 1) / PERSONS);
        for (; number < end; number++) {
          lines.add(new JsonObject()
              .put("platform", "whatsapp")
              .put("chatId", "c")
              .put("messageId", "m" + number)
              .put("at", Instant.ofEpochSecond(1_700_000_000L + number).toString())
              .put("senderId", "s")
              .put("senderName", "Ana")
              .put("deleted", false)
              .put("text", "Message " + number + " of person " + person));
          if (lines.size() == 500 || number + 1 == end) {
            ingest.setString(1, "backfill-" + person);
            ingest.setString(2, lines.encode());
            ingest.execute();
            lines.clear();
          }
        }
      }
    }
  }

  private static long number(String url, String sql) {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        PreparedStatement statement = owner.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
