package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * People's own connections to providers. Secrets come and go sealed; only {@link #find} and {@link
 * #ofTask} hand them out, for a call, and what clients read never holds one.
 */
public final class ConnectionRepository {
  /** Most connections of one person that are not revoked; as many revoked ones are remembered. */
  public static final int MOST = 20;

  private static final String SHOWN = """
      jsonb_build_object(
        'id', id, 'providerType', provider_type, 'executionMode', execution_mode,
        'displayName', display_name, 'baseUrl', base_url, 'configured', secret IS NOT NULL,
        'fingerprint', credential_fingerprint, 'status', status, 'capabilities', capability_snapshot,
        'lastCheckedAt', last_checked_at, 'lastErrorCode', last_error_code,
        'createdAt', created_at, 'updatedAt', updated_at) AS shown
      """;
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('connections ' || $1::text, 0))";
  private static final String FORGET = """
      DELETE FROM ai_connections c
       WHERE c.user_id = $1 AND c.status = 'revoked'
         AND NOT EXISTS (SELECT FROM ai_model_profiles p WHERE p.user_id = $1 AND p.connection_id = c.id)
         AND c.id NOT IN (SELECT r.id FROM ai_connections r WHERE r.user_id = $1 AND r.status = 'revoked'
                           ORDER BY r.updated_at DESC, r.id LIMIT $2)
      """;
  private static final String CREATE = """
      INSERT INTO ai_connections
        (user_id, id, provider_type, display_name, base_url, secret, key_id, credential_fingerprint)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE (SELECT count(*) FROM ai_connections WHERE user_id = $1 AND status <> 'revoked') < $9
      RETURNING """ + " " + SHOWN;
  private static final String LIST =
      "SELECT " + SHOWN + " FROM ai_connections WHERE user_id = $1 ORDER BY created_at, id";
  private static final String GET =
      "SELECT " + SHOWN + " FROM ai_connections WHERE user_id = $1 AND id = $2";
  private static final String ROTATE = """
      UPDATE ai_connections
         SET secret = $3, key_id = $4, credential_fingerprint = $5, secret_version = secret_version + 1,
             status = 'pending', capability_snapshot = '{}', last_checked_at = NULL, last_error_code = NULL,
             updated_at = clock_timestamp()
       WHERE user_id = $1 AND id = $2 AND status <> 'revoked' RETURNING """ + " " + SHOWN;
  private static final String DELETE_SECRET = """
      UPDATE ai_connections
         SET secret = NULL, key_id = NULL, credential_fingerprint = NULL, updated_at = clock_timestamp()
       WHERE user_id = $1 AND id = $2
      """;
  private static final String MARK_REVOKED = """
      UPDATE ai_connections SET status = 'revoked', last_error_code = NULL
       WHERE user_id = $1 AND id = $2
      """;
  private static final String DISABLE_PROFILES = """
      UPDATE ai_model_profiles SET enabled = false, updated_at = clock_timestamp()
       WHERE user_id = $1 AND connection_id = $2
      """;
  private static final String NOTE = """
      UPDATE ai_connections
         SET status = $4, last_error_code = $5, capability_snapshot = coalesce($6, capability_snapshot),
             last_checked_at = clock_timestamp()
       WHERE user_id = $1 AND id = $2 AND secret_version = $3 AND status <> 'revoked'
      """;
  private static final String RESEAL = """
      UPDATE ai_connections SET secret = $4, key_id = $5 WHERE user_id = $1 AND id = $2 AND secret = $3
      """;
  private static final String FIND = """
      SELECT id, provider_type, base_url, secret, secret_version, key_id, status,
             model_id, context_tokens, output_tokens, enabled
        FROM own_model($1, $2, $3)
      """;
  private static final String TO_RESEAL =
      "SELECT user_id, id FROM connections_to_reseal($1, $2, $3, $4)";

  private final Database database;

  public ConnectionRepository(Database database) {
    this.database = database;
  }

  /** A sealed secret: its bytes, the key that seals it, and what may be shown of it. */
  public record Sealed(
      Buffer secret, String keyId, @Nullable String fingerprint) {}

  /** A connection that does not exist yet; a null address is the provider's own. */
  public record New(
      UUID id,
      String providerType,
      String displayName,
      @Nullable String baseUrl,
      Sealed sealed) {}

  /** The model of a profile, and whether it may be used. */
  public record Model(String id, int contextTokens, int outputTokens, boolean enabled) {}

  /**
   * What a call needs.
   *
   * @param secret sealed, or null once revoked
   * @param model of the profile that led here, or null when the connection was asked for by its id
   */
  public record Found(
      UUID id,
      String providerType,
      @Nullable String baseUrl,
      @Nullable Buffer secret,
      int secretVersion,
      @Nullable String keyId,
      String status,
      @Nullable Model model) {}

  /** A connection and its person. */
  public record Place(UserId user, UUID id) {}

  /** Stores a connection; {@code REQUEST_CONFLICT} when the person has too many. */
  public Future<JsonObject> create(UserId user, New made) {
    Tuple arguments = Tuple.of(user.value(), made.id(), made.providerType(), made.displayName())
        .addString(made.baseUrl())
        .addBuffer(made.sealed().secret())
        .addString(made.sealed().keyId())
        .addString(made.sealed().fingerprint())
        .addInteger(MOST);
    return database.as(user, client -> run(client, LOCK, Tuple.of(user.value()))
        .compose(locked -> run(client, FORGET, Tuple.of(user.value(), MOST)))
        .compose(forgotten -> run(client, CREATE, arguments))
        .compose(rows -> rows.size() == 0
            ? Future.failedFuture(new GatewayError(
                GatewayError.Code.REQUEST_CONFLICT, "There are too many connections already."))
            : Future.succeededFuture(shown(rows))));
  }

  /** All connections of the person, the oldest first. */
  public Future<List<JsonObject>> list(UserId user) {
    return database.as(user, client -> run(client, LIST, Tuple.of(user.value())).map(rows -> {
      List<JsonObject> connections = new ArrayList<>();
      rows.forEach(row -> connections.add(row.getJsonObject("shown")));
      return connections;
    }));
  }

  /** One of them as clients read it. */
  public Future<JsonObject> get(UserId user, UUID id) {
    return database.as(user, client -> one(client, GET, Tuple.of(user.value(), id)));
  }

  /** Puts a new secret in the old one's place; not found for a revoked connection. */
  public Future<JsonObject> rotate(UserId user, UUID id, Sealed sealed) {
    Tuple arguments =
        Tuple.of(user.value(), id, sealed.secret(), sealed.keyId()).addString(sealed.fingerprint());
    return database.as(user, client -> one(client, ROTATE, arguments));
  }

  /**
   * Deletes the secret, then says so, then disables the models that need it. May be repeated; the
   * connection stays, so that its models' tasks stay refused.
   */
  public Future<JsonObject> revoke(UserId user, UUID id) {
    Tuple place = Tuple.of(user.value(), id);
    return database.as(user, client -> run(client, DELETE_SECRET, place)
        .compose(deleted -> run(client, MARK_REVOKED, place))
        .compose(marked -> run(client, DISABLE_PROFILES, place))
        .compose(disabled -> one(client, GET, place)));
  }

  /**
   * Notes what a test found, unless the secret is another one by now.
   *
   * @param capabilities what it showed, or null to keep what is known
   */
  public Future<Void> note(
      UserId user,
      UUID id,
      int secretVersion,
      String status,
      @Nullable String errorCode,
      @Nullable JsonObject capabilities) {
    Tuple arguments = Tuple.of(user.value(), id, secretVersion, status)
        .addString(errorCode)
        .addJsonObject(capabilities);
    return database.as(user, client -> run(client, NOTE, arguments).mapEmpty());
  }

  /** Seals the same secret anew; false when somebody else did, or the secret is another one. */
  public Future<Boolean> reseal(UserId user, UUID id, Buffer old, Buffer fresh, String keyId) {
    Tuple arguments = Tuple.of(user.value(), id, old, fresh, keyId);
    return database.as(
        user, client -> run(client, RESEAL, arguments).map(rows -> rows.rowCount() == 1));
  }

  /** The person's connection by its id. */
  public Future<Optional<Found>> find(UserId user, UUID id) {
    return found(Tuple.of(user.value()).addString(null).addUUID(id));
  }

  /** The model the person set for a task. */
  public Future<Optional<Found>> ofTask(UserId user, String taskRole) {
    return found(Tuple.of(user.value(), taskRole).addUUID(null));
  }

  /** Whose secrets are sealed with another key than this one, after a place; null: from the first. */
  public Future<List<Place>> toReseal(String keyId, @Nullable Place after, int limit) {
    Tuple arguments = Tuple.of(keyId)
        .addString(after == null ? null : after.user().value())
        .addUUID(after == null ? null : after.id())
        .addInteger(limit);
    return database.owner(TO_RESEAL, arguments).map(rows -> {
      List<Place> places = new ArrayList<>();
      rows.forEach(row -> places.add(new Place(new UserId(row.getString(0)), row.getUUID(1))));
      return places;
    });
  }

  private Future<Optional<Found>> found(Tuple arguments) {
    return database
        .call(FIND, arguments)
        .map(rows -> rows.size() == 0
            ? Optional.empty()
            : Optional.of(found(rows.iterator().next())));
  }

  private static Found found(Row row) {
    Model model = row.getString("model_id") == null
        ? null
        : new Model(
            row.getString("model_id"),
            row.getInteger("context_tokens"),
            row.getInteger("output_tokens"),
            row.getBoolean("enabled"));
    return new Found(
        row.getUUID("id"),
        row.getString("provider_type"),
        row.getString("base_url"),
        row.getBuffer("secret"),
        row.getInteger("secret_version"),
        row.getString("key_id"),
        row.getString("status"),
        model);
  }

  private static Future<JsonObject> one(SqlClient client, String sql, Tuple arguments) {
    return run(client, sql, arguments)
        .compose(rows -> rows.size() == 0
            ? Future.failedFuture(GatewayError.notFound("connection"))
            : Future.succeededFuture(shown(rows)));
  }

  private static JsonObject shown(RowSet<Row> rows) {
    return rows.iterator().next().getJsonObject("shown");
  }

  private static Future<RowSet<Row>> run(SqlClient client, String sql, Tuple arguments) {
    return client.preparedQuery(sql).execute(arguments);
  }
}
