package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The durable index queue and the vectors of one embedding profile. Vectors of other profiles or
 * versions are neither read nor written. Failures arrive as {@link dev.askgateway.core.GatewayError}.
 */
public final class IndexRepository {

  /** What the vectors of this repository are: the same facts for each of its rows. */
  public record Profile(String id, int version, String model, int dimensions) {}

  /** A person claimed for this node, and how often in a row that person's job has failed. */
  public record Job(UserId user, int attempts) {}

  /** A text that waits for its vector; its hash tells a later edit. */
  public record Waiting(UUID messageId, Buffer contentHash, String text, int attempts) {}

  /** The vector of a text as it was taken. A carrier, never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Embedded(UUID messageId, Buffer contentHash, float[] vector) {}

  /** A text that could not be embedded: tried again after the delay, or given up until it is edited. */
  public record Failed(
      UUID messageId, Buffer contentHash, String code, Duration delay, boolean parked) {}

  /** What is left of a person's job. */
  public enum Outcome {
    MORE,
    WAIT,
    DONE
  }

  /**
   * The state of a person's job.
   *
   * @param seen the newest request this state knows of; null when the job is gone
   * @param delay how long to wait, for WAIT
   */
  public record Settlement(Outcome outcome, @Nullable OffsetDateTime seen, Duration delay) {}

  /** Longest text handed out, in characters; the hash stands for the whole one. */
  public static final int MAX_TEXT_CHARS = 12_000;

  private static final String CLAIM = "SELECT * FROM claim_embedding_jobs($1, $2, $3)";
  private static final String RENEW = "SELECT * FROM renew_embedding_jobs($1, $2, $3)";
  private static final String BACKLOG = "SELECT embedding_backlog($1) AS n";
  private static final String RELEASE =
      "SELECT release_embedding_job($1, $2, $3, $4, $5, $6) AS ok";
  private static final String CLOSE = "SELECT close_embedding_job($1, $2, $3) AS ok";
  private static final String TAKE = "SELECT * FROM take_embedding_batch($1, $2, $3, $4, $5)";
  private static final String WRITE =
      "SELECT write_embeddings($1, $2, $3, $4, $5, $6, $7, $8) AS n";
  private static final String FAIL = "SELECT fail_embeddings($1, $2, $3, $4, $5, $6)";
  private static final String SETTLE = "SELECT * FROM settle_embedding_job($1, $2, $3)";
  private static final String FAIL_INDEX = "SELECT fail_index($1, $2)";
  private static final String REINDEX = "SELECT request_reindex($1, $2, $3) AS n";
  private static final String STATUS = "SELECT read_index_status($1) AS status";

  private final Database database;
  private final Profile profile;

  public IndexRepository(Database database, Profile profile) {
    this.database = database;
    this.profile = profile;
  }

  /** Leases up to {@code limit} due persons to the node, the one that waited longest first. */
  public Future<List<Job>> claim(String node, int limit, Duration lease) {
    return database
        .owner(CLAIM, Tuple.of(node, limit, lease.toMillis()))
        .map(rows -> list(
            rows,
            row -> new Job(new UserId(row.getString("user_id")), row.getInteger("attempts"))));
  }

  /** Keeps the leases of these persons; returns those that another node has by now. */
  public Future<Set<UserId>> renew(String node, List<UserId> users, Duration lease) {
    String[] ids = array(users, UserId::value, String[]::new);
    return database
        .owner(RENEW, Tuple.of(node, ids, lease.toMillis()))
        .map(rows -> list(rows, row -> new UserId(row.getString("user_id"))).stream()
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** Persons with work, waiting or claimed, counted up to {@code limit}. */
  public Future<Long> backlog(int limit) {
    return database.owner(BACKLOG, Tuple.of(limit)).map(rows -> first(rows).getLong("n"));
  }

  /**
   * Gives a person back.
   *
   * @param seen with a settlement's: a request later than it makes the person due at once
   * @param error a stable code while the job fails, else null
   */
  public Future<Void> release(
      UserId user,
      String node,
      @Nullable OffsetDateTime seen,
      Duration delay,
      int attempts,
      @Nullable String error) {
    return database
        .call(RELEASE, Tuple.of(user.value(), node, seen, delay.toMillis(), attempts, error))
        .mapEmpty();
  }

  /** Ends a person's job; false when something was asked for after {@code seen}. */
  public Future<Boolean> close(UserId user, String node, @Nullable OffsetDateTime seen) {
    return database.call(CLOSE, Tuple.of(user.value(), node, seen)).map(rows -> first(rows)
        .getBoolean("ok"));
  }

  /** The newest waiting texts, at most {@code limit}; none when nothing can be done now. */
  public Future<List<Waiting>> take(UserId user, int limit) {
    return database
        .call(TAKE, Tuple.of(user.value(), profile.id, profile.version, limit, MAX_TEXT_CHARS))
        .map(rows -> list(
            rows,
            row -> new Waiting(
                row.getUUID("message_id"),
                row.getBuffer("content_hash"),
                row.getString("body"),
                row.getInteger("attempts"))));
  }

  /**
   * Stores vectors in one statement and takes their messages off the list. A vector of a text that
   * has changed or is gone is dropped; a message that is just being changed stays on the list.
   *
   * @return how many were stored
   */
  public Future<Integer> write(UserId user, List<Embedded> vectors) {
    Tuple arguments = Tuple.of(
            user.value(), profile.id, profile.version, profile.model, profile.dimensions)
        .addArrayOfUUID(array(vectors, Embedded::messageId, UUID[]::new))
        .addArrayOfBuffer(array(vectors, Embedded::contentHash, Buffer[]::new))
        .addArrayOfFloat(flat(vectors));
    return database.call(WRITE, arguments).map(rows -> first(rows).getInteger("n"));
  }

  /** One flat array: text form would cost an event loop milliseconds a batch. */
  private Float[] flat(List<Embedded> vectors) {
    var flat = new Float[vectors.size() * profile.dimensions];
    int at = 0;
    for (Embedded embedded : vectors) {
      if (embedded.vector.length != profile.dimensions) {
        throw new IllegalArgumentException("a vector has " + embedded.vector.length + " numbers");
      }
      for (float value : embedded.vector) {
        flat[at++] = value;
      }
    }
    return flat;
  }

  /** Remembers texts that could not be embedded. */
  public Future<Void> fail(UserId user, List<Failed> failures) {
    Tuple arguments = Tuple.of(user.value())
        .addArrayOfUUID(array(failures, Failed::messageId, UUID[]::new))
        .addArrayOfBuffer(array(failures, Failed::contentHash, Buffer[]::new))
        .addArrayOfString(array(failures, Failed::code, String[]::new))
        .addArrayOfLong(array(failures, failed -> failed.delay.toMillis(), Long[]::new))
        .addArrayOfBoolean(array(failures, Failed::parked, Boolean[]::new));
    return database.call(FAIL, arguments).mapEmpty();
  }

  /** What is left to do; makes the counts exact and sets the status when nothing is. */
  public Future<Settlement> settle(UserId user) {
    return database
        .call(SETTLE, Tuple.of(user.value(), profile.id, profile.version))
        .map(rows -> {
          Row row = first(rows);
          return new Settlement(
              switch (row.getString("outcome")) {
                case "more" -> Outcome.MORE;
                case "wait" -> Outcome.WAIT;
                default -> Outcome.DONE;
              },
              row.getOffsetDateTime("seen"),
              Duration.ofMillis(Math.max(0, row.getLong("delay_ms"))));
        });
  }

  /** Shows a person's index as failed, with a stable code. */
  public Future<Void> markFailed(UserId user, String code) {
    return database.call(FAIL_INDEX, Tuple.of(user.value(), code)).mapEmpty();
  }

  /** Puts every message without a current vector on the list, also those given up; returns how many. */
  public Future<Long> requestReindex(UserId user) {
    return database
        .call(REINDEX, Tuple.of(user.value(), profile.id, profile.version))
        .map(rows -> first(rows).getLong("n"));
  }

  /**
   * How far a person's index is, from counters: {@code {"status": idle|indexing|ready|failed,
   * "indexedCount", "totalCount", "lastIndexedAt": ISO or null, "lastError": code or null}}.
   */
  public Future<JsonObject> status(UserId user) {
    return database.call(STATUS, Tuple.of(user.value())).map(rows -> first(rows)
        .getJsonObject("status"));
  }

  private static Row first(RowSet<Row> rows) {
    return rows.iterator().next();
  }

  private static <T> List<T> list(RowSet<Row> rows, Function<Row, T> of) {
    return StreamSupport.stream(rows.spliterator(), false).map(of).toList();
  }

  private static <T, R> R[] array(
      List<T> items, Function<T, R> of, java.util.function.IntFunction<R[]> make) {
    return items.stream().map(of).toArray(make);
  }
}
