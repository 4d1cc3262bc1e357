package dev.askgateway.store;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toUnmodifiableList;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages by what they are rather than by what is asked: by patterns of our own, by what came after
 * them, by their place in a chat, by numbers. Filters hold as in {@link SearchRepository}; newest first.
 */
public final class ContextRepository {
  private static final Collector<Row, ?, List<Told>> TOLD = mapping(
      row -> new Told(
          row.getUUID("id"),
          row.getUUID("chat_id"),
          row.getBoolean("is_group"),
          row.getBoolean("from_me"),
          row.getBoolean("to_me"),
          row.getOffsetDateTime("timestamp").toInstant(),
          row.getString("content"),
          row.getBoolean("settled")),
      toUnmodifiableList());
  private static final Collector<Row, ?, List<Placed>> PLACED = mapping(
      row -> new Placed(
          row.getUUID("id"),
          row.getUUID("chat_id"),
          row.getOffsetDateTime("timestamp").toInstant()),
      toUnmodifiableList());
  private static final Collector<Row, ?, List<Contacted>> CONTACTED = mapping(
      row -> new Contacted(
          row.getUUID("chat_id"),
          row.getLong("month"),
          row.getLong("quarter"),
          row.getLong("sent"),
          row.getLong("received"),
          row.getLong("days"),
          row.getOffsetDateTime("last").toInstant()),
      toUnmodifiableList());

  private final Database database;

  /**
   * A message with what is needed to judge it.
   *
   * @param toMe whether it replies to a message of the person
   * @param text its first 500 characters: a plan or a promise is told in a line, and rules read each of hundreds
   * @param settled whether a later message of its chat says that it is done
   */
  public record Told(
      UUID id,
      UUID chatId,
      boolean isGroup,
      boolean fromMe,
      boolean toMe,
      Instant at,
      String text,
      boolean settled) {
    /** How long their texts are together. */
    public static int chars(List<Told> all) {
      return all.stream().mapToInt(told -> told.text().length()).sum();
    }
  }

  /** A message in its chat. */
  public record Placed(UUID id, UUID chatId, Instant at) {}

  /**
   * How much was written in a one-to-one chat up to a moment.
   *
   * @param month messages of the last 30 days
   * @param quarter messages of the last 90 days, of which {@code sent} are the person's own
   * @param days on how many of these 90 days something was written, by UTC
   * @param last when the newest message was written, before these 90 days too
   */
  public record Contacted(
      UUID chatId, long month, long quarter, long sent, long received, long days, Instant last) {}

  /**
   * A kind of message, as PostgreSQL's regular expressions find it; never made of a question's words.
   *
   * @param pattern what the text matches, wider than what is meant: the caller judges
   * @param fromMe of whom; null for all
   * @param done what a later message matches that settles it
   * @param doneByMe whether the person has to say so, else the message's sender
   */
  public record Wanted(String pattern, @Nullable Boolean fromMe, String done, boolean doneByMe) {}

  public ContextRepository(Database database) {
    this.database = database;
  }

  /** Messages of a kind among the newest 20,000 that the filters leave. */
  public Future<List<Told>> matching(UserId user, SearchFilters filters, Wanted wanted, int limit) {
    Tuple arguments = arguments(user, filters, limit)
        .addBoolean(wanted.fromMe())
        .addString(wanted.pattern())
        .addString(wanted.done())
        .addBoolean(wanted.doneByMe());
    return read(user, ContextSql.MATCHING, arguments, TOLD);
  }

  /**
   * Questions of others with nothing of the person's after them, among the newest 20,000 messages; in
   * groups only those that reply to the person.
   */
  public Future<List<Told>> unanswered(UserId user, SearchFilters filters, int limit) {
    return read(user, ContextSql.UNANSWERED, arguments(user, filters, limit), TOLD);
  }

  /**
   * The newest messages of the chats that have the newest ones, chat by chat, named chats first.
   *
   * @param each most messages of a chat
   */
  public Future<List<Placed>> newestByChat(
      UserId user, SearchFilters filters, int chats, int each) {
    Tuple arguments = arguments(user, filters, each).addInteger(chats);
    return read(user, ContextSql.NEWEST_BY_CHAT, arguments, PLACED);
  }

  /** One-to-one chats by how much was written, most first; deleted messages do not count. */
  public Future<List<Contacted>> contacted(
      UserId user, SearchFilters filters, Instant at, int limit) {
    Tuple arguments =
        arguments(user, filters, limit).addOffsetDateTime(at.atOffset(ZoneOffset.UTC));
    return read(user, ContextSql.METRICS, arguments, CONTACTED);
  }

  /** Where found messages stand, in the order of their ids; without what was deleted meanwhile. */
  public Future<List<Placed>> placed(UserId user, List<UUID> ids) {
    Tuple arguments =
        Tuple.tuple().addString(user.value()).addArrayOfUUID(ids.toArray(UUID[]::new));
    return read(user, ContextSql.PLACED, arguments, PLACED);
  }

  private static Tuple arguments(UserId user, SearchFilters filters, int limit) {
    Tuple arguments = SearchRepository.arguments(user, filters, limit);
    SearchRepository.narrow(arguments, filters);
    return arguments;
  }

  private <T> Future<List<T>> read(
      UserId user, String sql, Tuple arguments, Collector<Row, ?, List<T>> collector) {
    return database.as(user, client -> client
        .preparedQuery(sql)
        .collecting(collector)
        .execute(arguments)
        .map(SqlResult::value));
  }
}
