package dev.askgateway.indexing;

import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.EmbeddingVersion;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A migrated database with messages, written by its owner in the way ingestion does. */
final class Conversations implements AutoCloseable {
  final StoreConfig config;
  private final Connection owner;

  private Conversations(StoreConfig config, Connection owner) {
    this.config = config;
    this.owner = owner;
  }

  static Conversations fresh() throws SQLException {
    String url = DevServices.shared().freshDatabase("indexing");
    var config = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(config).migrate();
    var address = StoreConfig.Address.of("url", url);
    var owner = DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    var conversations = new Conversations(config, owner);
    conversations.execute("SET search_path TO ask, public");
    conversations.serve("fake-8", "test:fake", 8);
    return conversations;
  }

  /** Makes a model that of the one version there is, as a node does that finds no vectors. */
  void serve(String profile, String model, int dimensions) throws SQLException {
    execute("SELECT adopt_embedding_version(?, ?, ?)", profile, model, dimensions);
  }

  /** A version as a node is told of it. */
  EmbeddingVersion version(EmbeddingVersion.State state) throws SQLException {
    String word = state.name().toLowerCase(Locale.ROOT);
    List<String> row = List.of(strings(
            "SELECT concat_ws(' ', id, profile_id, version, model, dimensions) FROM embedding_versions WHERE state = ?",
            word)
        .get(0)
        .split(" "));
    return new EmbeddingVersion(
        Integer.parseInt(row.get(0)),
        row.get(1),
        Integer.parseInt(row.get(2)),
        row.get(3),
        Integer.parseInt(row.get(4)),
        state);
  }

  UUID add(UserId user, @Nullable String text) throws SQLException {
    UUID id = UUID.randomUUID();
    inTransaction(() -> {
      execute("""
          INSERT INTO messages (user_id, id, chat_id, platform, platform_message_id, content, contact_name, "timestamp",
                                content_hash)
          VALUES (?, ?, ?, 'whatsapp', ?, ?, 'Ana', now(), embedding_hash('whatsapp', 'Ana', false, ?))
          """, user.value(), id, new UUID(0, 1), id.toString(), text, text);
      if (text != null) {
        queue(user, id);
        count(user, 1, 0);
      }
    });
    return id;
  }

  void edit(UserId user, UUID id, String text) throws SQLException {
    inTransaction(() -> {
      execute("""
          UPDATE messages SET content = ?, content_hash = embedding_hash(platform, contact_name, from_me, ?)
           WHERE user_id = ? AND id = ?
          """, text, text, user.value(), id);
      int vectors = unvector(user, id);
      queue(user, id);
      count(user, 0, vectors);
    });
  }

  void delete(UserId user, UUID id) throws SQLException {
    inTransaction(() -> {
      execute(
          "UPDATE messages SET is_deleted = true WHERE user_id = ? AND id = ?", user.value(), id);
      int vectors = unvector(user, id);
      execute(
          "DELETE FROM embedding_pending WHERE user_id = ? AND message_id = ?", user.value(), id);
      count(user, -1, vectors);
    });
  }

  private int unvector(UserId user, UUID id) throws SQLException {
    return execute(
        "DELETE FROM conversation_message_embeddings WHERE user_id = ? AND message_id = ?",
        user.value(),
        id);
  }

  void queue(UserId user, UUID id) throws SQLException {
    execute("""
        INSERT INTO embedding_pending (user_id, version_id, message_id)
        SELECT ?, id, ? FROM embedding_versions WHERE state <> 'failed'
        ON CONFLICT (user_id, version_id, message_id) DO UPDATE SET enqueued_at = now()
        """, user.value(), id);
    execute("""
        INSERT INTO embedding_jobs (user_id, version_id)
        SELECT ?, id FROM embedding_versions WHERE state <> 'failed'
        ON CONFLICT (user_id, version_id) DO UPDATE SET requested_at = now()
        """, user.value());
  }

  private void count(UserId user, int more, int fewerIndexed) throws SQLException {
    execute("""
        INSERT INTO conversation_assistant_index_state AS s (user_id, version_id, status, total_count)
        SELECT ?, id, 'indexing', ? FROM embedding_versions WHERE state <> 'failed'
        ON CONFLICT (user_id, version_id) DO UPDATE
          SET status = CASE WHEN ? > 0 OR ? > 0 THEN 'indexing' ELSE s.status END,
              total_count = s.total_count + ?, indexed_count = greatest(0, s.indexed_count - ?)
        """, user.value(), Math.max(0, more), more, fewerIndexed, more, fewerIndexed);
  }

  int execute(String sql, @Nullable Object... arguments) throws SQLException {
    try (PreparedStatement statement = prepared(sql, arguments)) {
      statement.execute();
      return statement.getUpdateCount();
    }
  }

  /** The first column of all rows, as text. */
  List<String> strings(String sql, @Nullable Object... arguments) throws SQLException {
    try (PreparedStatement statement = prepared(sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      var strings = new ArrayList<String>();
      while (rows.next()) {
        strings.add(rows.getString(1));
      }
      return strings;
    }
  }

  long number(String sql, @Nullable Object... arguments) throws SQLException {
    return Long.parseLong(strings(sql, arguments).get(0));
  }

  long vectors(UserId user) throws SQLException {
    return number(
        "SELECT count(*) FROM conversation_message_embeddings WHERE user_id = ?", user.value());
  }

  private PreparedStatement prepared(String sql, @Nullable Object... arguments)
      throws SQLException {
    PreparedStatement statement = owner.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  interface Steps {
    void run() throws SQLException;
  }

  void inTransaction(Steps steps) throws SQLException {
    execute("BEGIN");
    steps.run();
    execute("COMMIT");
  }

  @Override
  public void close() throws SQLException {
    owner.close();
  }
}
