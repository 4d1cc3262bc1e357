package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Threads and their turns, in the shapes clients read (facts 1.8). A global thread and a chat's own
 * thread are never found by each other's methods (spec B15).
 */
public final class ThreadRepository {
  /** Most rows of one page, whatever a caller asks for. */
  public static final int MAX_PAGE = 200;

  private static final String CREATE = """
      INSERT INTO conversation_assistant_threads AS t (user_id, title)
      VALUES ($1, coalesce($2, 'New conversation')) RETURNING thread_json(t.*)
      """;
  private static final String LIST = """
      SELECT thread_json(t.*) AS thread, t.updated_at, t.id
        FROM conversation_assistant_threads t
       WHERE t.user_id = $1 AND t.chat_id IS NULL AND (t.updated_at, t.id) < ($2, $3)
       ORDER BY t.updated_at DESC, t.id DESC LIMIT $4
      """;
  private static final String GLOBAL = """
      SELECT t.id, thread_json(t.*) AS thread FROM conversation_assistant_threads t
       WHERE t.user_id = $1 AND t.id = $2 AND t.chat_id IS NULL
      """;
  private static final String OF_CHAT = """
      SELECT t.id, CASE WHEN t.id IS NOT NULL THEN thread_json(t.*) END AS thread
        FROM chats c LEFT JOIN conversation_assistant_threads t ON t.user_id = c.user_id AND t.chat_id = c.id
       WHERE c.user_id = $1 AND c.id = $2
      """;
  private static final String TURNS = """
      SELECT t.seq, jsonb_build_object(
               'id', t.id, 'role', t.role, 'content', t.content, 'citations', t.citations,
               'actions', t.actions, 'scope_chat_ids', to_jsonb(t.scope_chat_ids), 'status', t.status,
               'request_id', t.request_id, 'created_at', t.created_at)
             || CASE WHEN t.query_plan IS NULL THEN '{}' ELSE jsonb_build_object('queryPlan', t.query_plan) END
             || CASE WHEN t.error_code IS NULL THEN '{}' ELSE jsonb_build_object('error_code', t.error_code) END
             AS turn
        FROM conversation_assistant_turns t
       WHERE t.user_id = $1 AND t.thread_id = $2 AND t.seq < $3
       ORDER BY t.seq DESC LIMIT $4
      """;
  private static final String DELETE_GLOBAL = """
      DELETE FROM conversation_assistant_threads WHERE user_id = $1 AND id = $2 AND chat_id IS NULL RETURNING id
      """;
  private static final String DELETE_OF_CHAT = """
      DELETE FROM conversation_assistant_threads WHERE user_id = $1 AND chat_id = $2 RETURNING id
      """;
  private static final String RUNNING = """
      SELECT request_id FROM answer_requests WHERE user_id = $1 AND thread_id = $2 AND status = 'streaming'
      """;
  private static final String LATEST = """
      SELECT r.request_id
        FROM conversation_assistant_threads t
        JOIN LATERAL (SELECT a.request_id FROM conversation_assistant_turns a
                       WHERE a.user_id = $1 AND a.thread_id = t.id AND a.role = 'assistant'
                       ORDER BY a.seq DESC LIMIT 1) latest ON true
        JOIN answer_requests r ON r.user_id = $1 AND r.request_id = latest.request_id
       WHERE t.user_id = $1
         AND (t.client_key = $2 OR t.id = $3 OR t.chat_id = $4)
         AND (r.status = 'streaming' OR r.finished_at > clock_timestamp() - $5 * interval '1 millisecond')
       ORDER BY t.client_key IS NULL LIMIT 1
      """;

  private final Database database;

  public ThreadRepository(Database database) {
    this.database = database;
  }

  /** A place in the list of threads, newest first. */
  public record Position(OffsetDateTime updatedAt, UUID id) {
    /** Before the newest thread there can be. */
    public static final Position START =
        new Position(OffsetDateTime.of(9999, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC), new UUID(-1L, -1L));
  }

  /**
   * One page of threads: {@code id, title, chat_id, created_at, updated_at} each.
   *
   * @param next where the next page begins, or null after the last
   */
  public record Threads(List<JsonObject> threads, @Nullable Position next) {}

  /**
   * A thread with a page of its turns, oldest first.
   *
   * @param older the sequence number before which the next older page ends, or null when there is none
   */
  public record History(
      JsonObject thread, List<JsonObject> turns, @Nullable Long older) {}

  /** Makes an empty global thread; a null title is the default one. */
  public Future<JsonObject> create(UserId user, @Nullable String title) {
    Tuple arguments = Tuple.of(user.value()).addString(title);
    return database.as(
        user, client -> client.preparedQuery(CREATE).execute(arguments).map(rows -> rows.iterator()
            .next()
            .getJsonObject(0)));
  }

  /** Global threads after a position, at most {@link #MAX_PAGE} of them. */
  public Future<Threads> list(UserId user, Position after, int limit) {
    int size = Math.min(limit, MAX_PAGE);
    Tuple arguments = Tuple.of(user.value(), after.updatedAt(), after.id(), size + 1);
    return database.as(
        user,
        client -> client.preparedQuery(LIST).execute(arguments).map(rows -> page(rows, size)));
  }

  private static Threads page(RowSet<Row> rows, int size) {
    List<JsonObject> threads = new ArrayList<>();
    Position last = null;
    for (Row row : rows) {
      if (threads.size() == size) {
        return new Threads(threads, last);
      }
      threads.add(row.getJsonObject("thread"));
      last = new Position(row.getOffsetDateTime("updated_at"), row.getUUID("id"));
    }
    return new Threads(threads, null);
  }

  /** A global thread with its newest turns before {@code before}; not found for a chat's thread. */
  public Future<History> history(UserId user, UUID threadId, long before, int limit) {
    return database.as(user, client -> client
        .preparedQuery(GLOBAL)
        .execute(Tuple.of(user.value(), threadId))
        .compose(rows -> rows.size() == 0
            ? Future.failedFuture(GatewayError.notFound("thread"))
            : turns(client, user, rows.iterator().next(), before, limit)));
  }

  /** The thread of a chat, likewise; not found in two wordings: no such chat, or no thread yet. */
  public Future<History> chatHistory(UserId user, UUID chatId, long before, int limit) {
    return database.as(user, client -> client
        .preparedQuery(OF_CHAT)
        .execute(Tuple.of(user.value(), chatId))
        .compose(rows -> {
          if (rows.size() == 0) {
            return Future.failedFuture(GatewayError.notFound("chat"));
          }
          Row row = rows.iterator().next();
          return row.getUUID("id") == null
              ? Future.failedFuture(new GatewayError(
                  GatewayError.Code.NOT_FOUND, "Nothing was asked about this chat yet."))
              : turns(client, user, row, before, limit);
        }));
  }

  private static Future<History> turns(
      SqlClient client, UserId user, Row thread, long before, int limit) {
    int size = Math.min(limit, MAX_PAGE);
    Tuple arguments = Tuple.of(user.value(), thread.getUUID("id"), before, size + 1);
    return client.preparedQuery(TURNS).execute(arguments).map(rows -> {
      List<JsonObject> turns = new ArrayList<>();
      Long oldest = null;
      for (Row row : rows) {
        if (turns.size() == size) {
          return new History(thread.getJsonObject("thread"), turns, oldest);
        }
        turns.add(0, row.getJsonObject("turn"));
        oldest = row.getLong("seq");
      }
      return new History(thread.getJsonObject("thread"), turns, null);
    });
  }

  /**
   * Deletes a global thread with its turns; deleting what is not there is no error.
   *
   * @return its requests that were still running
   */
  public Future<List<UUID>> delete(UserId user, UUID threadId) {
    return delete(user, DELETE_GLOBAL, threadId);
  }

  /** Deletes the thread of a chat, likewise. */
  public Future<List<UUID>> deleteOfChat(UserId user, UUID chatId) {
    return delete(user, DELETE_OF_CHAT, chatId);
  }

  /** Two statements: the second one's snapshot sees a turn that began while the first one waited. */
  private Future<List<UUID>> delete(UserId user, String statement, UUID id) {
    return database.as(user, client -> client
        .preparedQuery(statement)
        .execute(Tuple.of(user.value(), id))
        .compose(gone -> gone.size() == 0
            ? Future.succeededFuture(List.of())
            : client
                .preparedQuery(RUNNING)
                .execute(Tuple.of(user.value(), gone.iterator().next().getUUID("id")))
                .map(ThreadRepository::ids)));
  }

  private static List<UUID> ids(RowSet<Row> rows) {
    List<UUID> ids = new ArrayList<>();
    rows.forEach(row -> ids.add(row.getUUID(0)));
    return ids;
  }

  /**
   * The newest request of the thread an app knows by that key, if it runs or ended less than {@code
   * window} ago. A key that is a thread's own id finds that thread.
   */
  public Future<Optional<UUID>> latestOfClient(
      UserId user, String clientKey, @Nullable UUID threadId, Duration window) {
    return latest(user, Tuple.of(user.value(), clientKey).addUUID(threadId).addUUID(null), window);
  }

  /** The same for a thread by its id. */
  public Future<Optional<UUID>> latestOfThread(UserId user, UUID threadId, Duration window) {
    Tuple arguments = Tuple.of(user.value()).addString(null).addUUID(threadId).addUUID(null);
    return latest(user, arguments, window);
  }

  /** The same for a chat's thread. */
  public Future<Optional<UUID>> latestOfChat(UserId user, UUID chatId, Duration window) {
    Tuple arguments = Tuple.of(user.value()).addString(null).addUUID(null).addUUID(chatId);
    return latest(user, arguments, window);
  }

  private Future<Optional<UUID>> latest(UserId user, Tuple place, Duration window) {
    Tuple arguments = place.addDouble((double) window.toMillis());
    return database.as(
        user,
        client -> client.preparedQuery(LATEST).execute(arguments).map(rows -> ids(rows).stream()
            .findFirst()));
  }
}
