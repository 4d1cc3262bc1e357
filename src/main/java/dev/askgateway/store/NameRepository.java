package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the names of a question among a person's own chats, contacts and senders. A name means every
 * one that holds all its words, whatever accents and capitals.
 */
public final class NameRepository {
  private static final String RESOLVE =
      "SELECT kind, nr, asked, id, label FROM resolve_names($1, $2::text[], $3::text[], $4)";

  private final Database database;

  /** What a match is. */
  public enum Kind {
    /** A chat of an asked chat name. */
    CHAT,
    /** A one-to-one chat with an asked person. */
    TALK,
    /** A contact of an asked person's name. */
    CONTACT,
    /** A label of messages whose sender may be no contact. */
    SENDER
  }

  /**
   * One of the things that a name may mean.
   *
   * @param asked which of the asked names, from 0
   * @param folded the asked name's words, without accents and capitals, parted by one blank
   * @param id of chat or contact; null for a label
   * @param label the found name, folded alike
   */
  public record Match(
      Kind kind, int asked, String folded, @Nullable UUID id, String label) {}

  public NameRepository(Database database) {
    this.database = database;
  }

  /**
   * All matches, chats with the newest messages first.
   *
   * @param groups whether groups without a switch of their own count as evidence; others are not told of
   */
  public Future<List<Match>> resolve(
      UserId user, List<String> chats, List<String> people, boolean groups) {
    if (chats.isEmpty() && people.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Tuple arguments = Tuple.tuple()
        .addString(user.value())
        .addArrayOfString(chats.toArray(String[]::new))
        .addArrayOfString(people.toArray(String[]::new))
        .addBoolean(groups);
    return database.as(
        user,
        client -> client.preparedQuery(RESOLVE).execute(arguments).map(NameRepository::matches));
  }

  private static List<Match> matches(Iterable<Row> rows) {
    List<Match> matches = new ArrayList<>();
    for (Row row : rows) {
      matches.add(new Match(
          Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
          row.getInteger("nr") - 1,
          row.getString("asked"),
          row.getUUID("id"),
          row.getString("label")));
    }
    return List.copyOf(matches);
  }
}
