package dev.askgateway.store;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toUnmodifiableList;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Searches over one person's messages: by words, by meaning, by time, and the neighbourhood of what
 * was found. Deleted messages and those without text are never in a result, nor are vectors of a text
 * that was edited since. Ties have a fixed order: newest first, then by id.
 */
public final class SearchRepository {
  /** A phrase's match adds this share to a text rank. */
  private static final float PHRASE_BONUS = 0.5f;

  private static final OffsetDateTime EVER = OffsetDateTime.parse("0001-01-01T00:00:00Z");
  private static final OffsetDateTime NEVER = OffsetDateTime.parse("9999-12-31T00:00:00Z");

  private static final Collector<Row, ?, List<SearchHit.Lexical>> LEXICAL =
      rows(row -> new SearchHit.Lexical(
          row.getUUID("id"),
          row.getFloat("rank"),
          row.getInteger("matched"),
          row.getInteger("in_text"),
          row.getInteger("asked"),
          row.getFloat("share")));
  private static final Collector<Row, ?, List<Nearest>> NEAREST = rows(row -> new Nearest(
      new SearchHit.Vector(row.getUUID("id"), row.getDouble("cosine")),
      row.getBoolean("fell_back")));
  private static final Collector<Row, ?, List<SearchHit.Compared>> COMPARED =
      rows(row -> new SearchHit.Compared(
          row.getUUID("id"),
          row.getBoolean("from_me"),
          row.getString("sender"),
          new SearchHit.Written(
              row.getUUID("chat_id"),
              row.getOffsetDateTime("timestamp").toInstant(),
              row.getString("text"),
              row.getBoolean("asks"),
              row.getBoolean("answers")),
          row.getUUID("before_id"),
          row.getUUID("after_id"),
          row.getDouble("cosine")));
  private static final Collector<Row, ?, List<SearchHit.Recent>> RECENT =
      rows(row -> new SearchHit.Recent(row.getUUID("id")));

  private final Database database;
  private final long exactBelow;
  private final LongAdder exactFallbacks = new LongAdder();

  /** @param fellBack whether the approximate search came back short, so that all were looked at */
  private record Nearest(SearchHit.Vector hit, boolean fellBack) {}

  /**
   * A message with its neighbours, ascending by time; only the message itself is marked as found.
   *
   * @param messages at least the anchor
   */
  public record Neighbourhood(
      UUID anchorId,
      UUID chatId,
      @Nullable String chatName,
      String platform,
      boolean isGroup,
      List<EvidenceMessage> messages) {
    public Neighbourhood {
      messages = List.copyOf(messages);
    }
  }

  /**
   * @param exactBelow where the filters leave fewer messages, all their vectors are compared; more are
   *     searched through the approximate index. Known from the counters that ingestion keeps
   */
  public SearchRepository(Database database, long exactBelow) {
    this.database = database;
    this.exactBelow = exactBelow;
  }

  /** How often an approximate search returned too few rows and was done again exactly. */
  public long exactFallbacks() {
    return exactFallbacks.sum();
  }

  /** Messages that hold any term, and those right before and after them, the best first. */
  public Future<List<SearchHit.Lexical>> lexical(
      UserId user, SearchText text, SearchFilters filters, int limit) {
    Tuple arguments = arguments(user, filters, limit)
        .addArrayOfString(text.each())
        .addString(text.bonus())
        .addFloat(PHRASE_BONUS);
    narrow(arguments, filters);
    return database.as(user, client -> read(client, SearchSql.LEXICAL, arguments, LEXICAL));
  }

  /** The nearest messages of the vector's own profile and version, the nearest first. */
  public Future<List<SearchHit.Vector>> vector(
      UserId user, SearchVector vector, SearchFilters filters, int limit) {
    Tuple arguments = arguments(user, filters, limit)
        .addString(vector.literal())
        .addString(vector.profileId())
        .addInteger(vector.version())
        .addLong(exactBelow);
    narrow(arguments, filters);
    return database
        .as(user, client -> read(client, SearchSql.NEAR, arguments, NEAREST))
        .map(nearest -> {
          if (nearest.stream().anyMatch(Nearest::fellBack)) {
            exactFallbacks.increment();
          }
          return nearest.stream().map(Nearest::hit).toList();
        });
  }

  /**
   * What is not yet known of found messages: the cosine of those found by words, who wrote what, what
   * stands beside them. In no order.
   *
   * @param ids messages that a search of this person found
   * @param vector the question's, or null when there is none to compare with
   */
  public Future<List<SearchHit.Compared>> compare(
      UserId user, Collection<UUID> ids, @Nullable SearchVector vector) {
    if (ids.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Tuple arguments = Tuple.tuple()
        .addString(user.value())
        .addArrayOfUUID(ids.toArray(UUID[]::new))
        .addString(vector == null ? null : vector.profileId())
        .addInteger(vector == null ? null : vector.version())
        .addInteger(vector == null ? null : vector.dimensions())
        .addString(vector == null ? null : vector.literal());
    return database.as(user, client -> read(client, SearchSql.COMPARE, arguments, COMPARED));
  }

  /** The newest messages, newest first; with {@code fromMe} only the person's own. */
  public Future<List<SearchHit.Recent>> recent(
      UserId user, SearchFilters filters, boolean fromMe, int limit) {
    Tuple arguments = arguments(user, filters, limit).addBoolean(fromMe);
    narrow(arguments, filters);
    String sql =
        filters.onlyChats().isEmpty() ? SearchSql.RECENT_ANYWHERE : SearchSql.RECENT_IN_CHATS;
    return database.as(user, client -> read(client, sql, arguments, RECENT));
  }

  /**
   * Messages with what was said right before and after them in their chats, inside the filters but for
   * that of senders: all who talk are shown. What was deleted meanwhile is left out.
   *
   * @param anchors ids of messages; the result keeps their order
   * @param maxChars longest text of one message, the rest is cut
   */
  public Future<List<Neighbourhood>> neighbourhoods(
      UserId user, List<UUID> anchors, SearchFilters filters, int before, int after, int maxChars) {
    if (anchors.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Tuple arguments = scope(user, filters)
        .addArrayOfUUID(anchors.toArray(UUID[]::new))
        .addInteger(before)
        .addInteger(after)
        .addInteger(maxChars)
        .addArrayOfUUID(chats(filters))
        .addArrayOfString(platforms(filters));
    return database.as(user, client -> client
        .preparedQuery(SearchSql.WINDOWS)
        .execute(arguments)
        .map(SearchRepository::neighbourhoods));
  }

  private static <T> Future<List<T>> read(
      SqlClient client, String sql, Tuple arguments, Collector<Row, ?, List<T>> collector) {
    return client.preparedQuery(sql).collecting(collector).execute(arguments).map(SqlResult::value);
  }

  private static <T> Collector<Row, ?, List<T>> rows(Function<Row, T> of) {
    return mapping(of, toUnmodifiableList());
  }

  /** $1 to $5: the person and what is evidence. */
  private static Tuple scope(UserId user, SearchFilters filters) {
    return Tuple.tuple()
        .addString(user.value())
        .addArrayOfUUID(filters.namedChats().toArray(UUID[]::new))
        .addBoolean(filters.groups())
        .addOffsetDateTime(bound(filters.from(), EVER))
        .addOffsetDateTime(bound(filters.until(), NEVER));
  }

  /** $1 to $7: the scope, then the chats (null for all) and the limit. */
  static Tuple arguments(UserId user, SearchFilters filters, int limit) {
    return scope(user, filters).addArrayOfUUID(chats(filters)).addInteger(limit);
  }

  /** The last three: platforms, then contacts and names of senders, each null for any. */
  static void narrow(Tuple arguments, SearchFilters filters) {
    SearchFilters.Senders senders = filters.senders();
    arguments
        .addArrayOfString(platforms(filters))
        .addArrayOfUUID(senders == null ? null : senders.contactIds().toArray(UUID[]::new))
        .addArrayOfString(senders == null ? null : senders.names().toArray(String[]::new));
  }

  private static UUID @Nullable [] chats(SearchFilters filters) {
    return filters.onlyChats().isEmpty() ? null : filters.onlyChats().toArray(UUID[]::new);
  }

  private static String @Nullable [] platforms(SearchFilters filters) {
    return filters.platforms().isEmpty() ? null : filters.platforms().toArray(String[]::new);
  }

  private static OffsetDateTime bound(@Nullable Instant time, OffsetDateTime otherwise) {
    return time == null ? otherwise : time.atOffset(ZoneOffset.UTC);
  }

  private static List<Neighbourhood> neighbourhoods(Iterable<Row> rows) {
    Map<UUID, Neighbourhood> heads = new LinkedHashMap<>();
    Map<UUID, List<EvidenceMessage>> messages = new LinkedHashMap<>();
    for (Row row : rows) {
      UUID anchor = row.getUUID("anchor_id");
      heads.computeIfAbsent(anchor, id -> head(row, id));
      messages.computeIfAbsent(anchor, id -> new ArrayList<>()).add(message(row, anchor));
    }
    return heads.values().stream()
        .map(head -> new Neighbourhood(
            head.anchorId(),
            head.chatId(),
            head.chatName(),
            head.platform(),
            head.isGroup(),
            messages.getOrDefault(head.anchorId(), List.of())))
        .toList();
  }

  private static Neighbourhood head(Row row, UUID anchor) {
    return new Neighbourhood(
        anchor,
        row.getUUID("chat_id"),
        row.getString("chat_name"),
        row.getString("platform"),
        row.getBoolean("is_group"),
        List.of());
  }

  private static EvidenceMessage message(Row row, UUID anchor) {
    UUID id = row.getUUID("id");
    return new EvidenceMessage(
        id,
        row.getString("platform_message_id"),
        row.getString("sender"),
        row.getBoolean("from_me"),
        row.getOffsetDateTime("timestamp").toInstant(),
        row.getString("content"),
        id.equals(anchor),
        row.getString("reply_to_platform_message_id"));
  }
}
