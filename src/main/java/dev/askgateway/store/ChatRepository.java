package dev.askgateway.store;

import dev.askgateway.core.SafeText;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** What a person can name: their chats, and how far these are indexed. */
public final class ChatRepository {
  /** Most candidates of a mention. */
  public static final int MAX_CANDIDATES = 8;

  private static final String CANDIDATES = """
      SELECT jsonb_build_object('id', id, 'name', name, 'platform', platform, 'is_group', is_group,
                                'last_message_at', last_message_at) AS chat
        FROM chats
       WHERE user_id = $1 AND ($2 = '' OR name ILIKE '%' || $2 || '%')
       ORDER BY last_message_at DESC NULLS LAST, id LIMIT $3
      """;
  private static final String INDEX = "SELECT index_status_detail($1)";
  private static final String REINDEX = "SELECT request_reindex($1) AS n";
  private static final String AI_ENABLED = """
      SELECT coalesce((SELECT preferences -> 'ai_enabled' FROM user_preferences WHERE user_id = $1), 'true')
             = 'true'::jsonb
      """;

  private final Database database;

  public ChatRepository(Database database) {
    this.database = database;
  }

  /**
   * Chats whose name holds the text, the most recent first: {@code id, name, platform, is_group,
   * last_message_at}. Wildcards of the text are taken out of it, so it can never mean a pattern.
   */
  public Future<List<JsonObject>> mentionCandidates(UserId user, String text) {
    String wanted = SafeText.clean(text).replaceAll("[%_\\\\]", "").strip();
    return database.as(user, client -> client
        .preparedQuery(CANDIDATES)
        .execute(Tuple.of(user.value(), wanted, MAX_CANDIDATES))
        .map(rows -> {
          List<JsonObject> chats = new ArrayList<>();
          for (Row row : rows) {
            chats.add(row.getJsonObject("chat"));
          }
          return chats;
        }));
  }

  /**
   * The index status, from counters: {@code status} (idle, indexing, ready, failed), {@code
   * indexedCount, totalCount, waitingCount, parkedCount, parkedByCode} (given up, by stable code),
   * {@code lastIndexedAt} (ISO or null), {@code lastError} (code or null).
   */
  public Future<JsonObject> indexStatus(UserId user) {
    return database.as(user, client -> client
        .preparedQuery(INDEX)
        .execute(Tuple.of(user.value()))
        .map(rows -> rows.iterator().next().getJsonObject(0)));
  }

  /**
   * Puts every message without a current vector on the lists of all versions of the index, also those
   * given up; returns how many messages.
   */
  public Future<Long> requestReindex(UserId user) {
    return database
        .call(REINDEX, Tuple.of(user.value()))
        .map(rows -> rows.iterator().next().getLong("n"));
  }

  /** Whether the account's assistant is on. Only a plain true, or nothing at all, is on. */
  public Future<Boolean> aiEnabled(UserId user) {
    return database.as(user, client -> client
        .preparedQuery(AI_ENABLED)
        .execute(Tuple.of(user.value()))
        .map(rows -> rows.iterator().next().getBoolean(0)));
  }
}
