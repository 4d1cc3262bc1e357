package dev.askgateway.intake.ingest;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Database;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A migrated database of its own, and the owner's eyes on it. */
final class IngestData implements AutoCloseable {
  final Database database;
  final IngestRepository repository;
  private final Connection owner;

  IngestData(Vertx vertx) throws SQLException {
    String url = DevServices.shared().freshDatabase("ingest");
    StoreConfig config = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(config).migrate();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    run("SET search_path = ask, public");
    database = new Database(vertx, config);
    repository = new IngestRepository(database);
  }

  /** The rows of a query as text, columns joined by a bar. */
  List<String> rows(String sql, Object... arguments) {
    try (PreparedStatement statement = owner.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      List<String> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            row.add(String.valueOf(result.getString(i)));
          }
          rows.add(String.join("|", row));
        }
      }
      return rows;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  String one(String sql, Object... arguments) {
    List<String> rows = rows(sql, arguments);
    if (rows.size() != 1) {
      throw new AssertionError("one row expected, got " + rows);
    }
    return rows.get(0);
  }

  void run(String sql) {
    try (Statement statement = owner.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Does the indexer's work: a vector for everything of the person that waits. */
  void index(String user) {
    rows("""
        WITH waiting AS (DELETE FROM embedding_pending WHERE user_id = ? RETURNING user_id, message_id)
        INSERT INTO conversation_message_embeddings (user_id, message_id, embedding_profile_id, embedding_version,
               embedding_model, embedding_dimensions, content_hash, embedding)
        SELECT m.user_id, m.id, 'e5-384', 1, 'test', 2, m.content_hash, '[1,2]'
          FROM waiting w JOIN messages m ON m.user_id = w.user_id AND m.id = w.message_id
        ON CONFLICT (user_id, message_id, embedding_profile_id, embedding_version)
           DO UPDATE SET content_hash = excluded.content_hash
        RETURNING 1""", user);
    rows("""
        UPDATE conversation_assistant_index_state s SET status = 'ready', indexed_count =
               (SELECT count(*) FROM conversation_message_embeddings e WHERE e.user_id = s.user_id)
         WHERE user_id = ? RETURNING 1""", user);
  }

  @Override
  public void close() throws SQLException {
    database.close().await();
    owner.close();
  }
}
