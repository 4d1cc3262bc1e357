package dev.askgateway.store;

import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

/** A migrated database, filled past all policies by its owner, and the gateway's way into it. */
public final class SearchFixture implements AutoCloseable {
  /** Every message of a fixture is hashed alike, so that a test can make one stale. */
  private static final byte[] HASH = {1};

  public final Database database;
  private final StoreConfig config;
  private final Connection owner;

  private SearchFixture(Vertx vertx, StoreConfig config, Connection owner) {
    this.config = config;
    this.owner = owner;
    this.database = new Database(vertx, config);
  }

  public static SearchFixture create(Vertx vertx) throws SQLException {
    String url = DevServices.shared().freshDatabase("search");
    StoreConfig config = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(config).migrate();
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    Connection owner =
        DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    owner.createStatement().execute("SET search_path = ask, public");
    return new SearchFixture(vertx, config, owner);
  }

  public SearchRepository repository(long exactBelow) {
    return new SearchRepository(database, exactBelow);
  }

  /** A second pool on the same database, as another node would have. */
  public StoreConfig config() {
    return config;
  }

  public UUID chat(UserId user, String platform, String name, boolean group) {
    return one("""
        INSERT INTO chats (user_id, platform, platform_chat_id, name, is_group)
        VALUES (?, ?, ?, ?, ?) RETURNING id
        """, user.value(), platform, UUID.randomUUID().toString(), name, group);
  }

  public UUID message(UserId user, UUID chat, Instant at, String sender, String text) {
    return insert(user, chat, at, sender, false, text);
  }

  public UUID own(UserId user, UUID chat, Instant at, String text) {
    return insert(user, chat, at, null, true, text);
  }

  private UUID insert(
      UserId user, UUID chat, Instant at, String sender, boolean fromMe, String text) {
    UUID id = one(
        """
        INSERT INTO messages (user_id, chat_id, platform, platform_message_id, content, contact_name, from_me,
                              "timestamp", content_hash)
        VALUES (?, ?, 'whatsapp', ?, ?, ?, ?, ?, ?) RETURNING id
        """,
        user.value(),
        chat,
        UUID.randomUUID().toString(),
        text,
        sender,
        fromMe,
        at.atOffset(ZoneOffset.UTC),
        HASH);
    run(
        "UPDATE chats SET message_count = message_count + 1 WHERE user_id = ? AND id = ?",
        user.value(),
        chat);
    return id;
  }

  public void vector(UserId user, UUID message, String profile, int version, float[] values) {
    run(
        """
        INSERT INTO conversation_message_embeddings (user_id, message_id, embedding_profile_id,
            embedding_version, embedding_model, embedding_dimensions, content_hash, embedding)
        VALUES (?, ?, ?, ?, 'test', ?, ?, ?::vector)
        """,
        user.value(),
        message,
        profile,
        version,
        values.length,
        HASH,
        SearchVectorText.of(values));
  }

  public void run(String sql, Object... arguments) {
    try (PreparedStatement statement = prepared(sql, arguments)) {
      statement.execute();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private UUID one(String sql, Object... arguments) {
    try (PreparedStatement statement = prepared(sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getObject(1, UUID.class);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private PreparedStatement prepared(String sql, Object... arguments) throws SQLException {
    PreparedStatement statement = owner.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    owner.close();
    database.close();
  }
}
