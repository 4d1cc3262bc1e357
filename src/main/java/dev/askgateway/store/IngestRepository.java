package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages of one person, a batch at a time. The rules of what wins are in {@code
 * V004__ingest.sql}; writing the same batch twice changes nothing the second time.
 */
public final class IngestRepository {
  private static final String INGEST = "SELECT ingest_messages($1, $2::jsonb)";
  private static final int TRIES = 3;

  private final Database database;

  public IngestRepository(Database database) {
    this.database = database;
  }

  /**
   * One message as a platform tells it. What is null was left out and keeps what is known.
   *
   * @param text the whole text; empty takes it away
   * @param editedAt decides which of two versions wins, {@code at} when null
   * @param deleted hides the message from everything at once
   */
  public record Message(
      String platform,
      String chatId,
      @Nullable String chatName,
      @Nullable Boolean isGroup,
      String messageId,
      Instant at,
      @Nullable String senderId,
      @Nullable String senderName,
      @Nullable Boolean fromMe,
      @Nullable String text,
      @Nullable String replyTo,
      @Nullable String threadRoot,
      @Nullable Instant editedAt,
      boolean deleted) {

    JsonObject toJson() {
      JsonObject json = new JsonObject()
          .put("platform", platform)
          .put("chatId", chatId)
          .put("messageId", messageId)
          .put("at", at.toString())
          .put("deleted", deleted);
      putGiven(json, "chatName", chatName);
      putGiven(json, "isGroup", isGroup);
      putGiven(json, "senderId", senderId);
      putGiven(json, "senderName", senderName);
      putGiven(json, "fromMe", fromMe);
      putGiven(json, "text", text);
      putGiven(json, "replyTo", replyTo);
      putGiven(json, "threadRoot", threadRoot);
      putGiven(json, "editedAt", editedAt == null ? null : editedAt.toString());
      return json;
    }

    private static void putGiven(JsonObject json, String field, @Nullable Object value) {
      if (value != null) {
        json.put(field, value);
      }
    }
  }

  /** What became of one message of a batch. */
  public enum Outcome {
    NEW,
    CHANGED,
    UNCHANGED,
    DELETED;

    static Outcome ofWord(String word) {
      return valueOf(word.toUpperCase(java.util.Locale.ROOT));
    }
  }

  /**
   * What a batch did.
   *
   * @param outcomes one for each message, in the order they were given
   * @param queued messages that now wait for a vector
   */
  public record Written(List<Outcome> outcomes, int queued) {
    public Written {
      outcomes = List.copyOf(outcomes);
    }
  }

  /**
   * Writes a batch in one transaction and one round trip; messages that share platform, chat and id
   * are taken in the given order. Fails with a {@link dev.askgateway.core.GatewayError}, and then
   * nothing of the batch is there.
   */
  public Future<Written> write(UserId user, List<Message> messages) {
    JsonArray rows = new JsonArray();
    messages.forEach(message -> rows.add(message.toJson()));
    return write(user, rows, TRIES);
  }

  private Future<Written> write(UserId user, JsonArray rows, int tries) {
    return database
        .call(INGEST, Tuple.of(user.value(), rows))
        .map(result -> written(result.iterator().next().getJsonObject(0)))
        .recover(failure -> tries > 1 && lostARace(failure)
            ? write(user, rows, tries - 1)
            : Future.failedFuture(failure));
  }

  /** Whether the database gave this transaction up for another one's sake (the indexer's, say). */
  private static boolean lostARace(Throwable failure) {
    return failure.getCause() instanceof PgException refused
        && ("40P01".equals(refused.getSqlState()) || "40001".equals(refused.getSqlState()));
  }

  private static Written written(JsonObject answer) {
    List<Outcome> outcomes = answer.getJsonArray("outcomes").stream()
        .map(word -> Outcome.ofWord((String) word))
        .toList();
    return new Written(outcomes, answer.getInteger("queued"));
  }
}
