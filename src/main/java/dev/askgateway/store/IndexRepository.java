package dev.askgateway.store;

import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
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
 * The durable queue of one version of the index, and its vectors. Those of other versions are neither
 * read nor written. Failures arrive as {@link dev.askgateway.core.GatewayError}.
 */
public final class IndexRepository {

  /**
   * A person claimed for this node.
   *
   * @param attempts how often in a row the job has failed
   * @param listed false: what lacks a vector has yet to be put on the list
   */
  public record Job(UserId user, int attempts, boolean listed) {}

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

  private static final String CLAIM = "SELECT * FROM claim_embedding_jobs($1, $2, $3, $4)";
  private static final String RENEW = "SELECT * FROM renew_embedding_jobs($1, $2, $3, $4)";
  private static final String LIST = "SELECT list_embedding_job($1, $2) AS n";
  private static final String BACKLOG = "SELECT embedding_backlog($1) AS n";
  private static final String RELEASE =
      "SELECT release_embedding_job($1, $2, $3, $4, $5, $6, $7) AS ok";
  private static final String CLOSE = "SELECT close_embedding_job($1, $2, $3, $4) AS ok";
  private static final String TAKE = "SELECT * FROM take_embedding_batch($1, $2, $3, $4)";
  private static final String WRITE =
      "SELECT write_embeddings($1, $2, $3, $4, $5, $6, $7, $8) AS n";
  private static final String FAIL = "SELECT fail_embeddings($1, $2, $3, $4, $5, $6, $7)";
  private static final String SETTLE = "SELECT * FROM settle_embedding_job($1, $2)";
  private static final String FAIL_INDEX = "SELECT fail_index($1, $2, $3)";

  private final Database database;
  private final EmbeddingVersion version;

  public IndexRepository(Database database, EmbeddingVersion version) {
    this.database = database;
    this.version = version;
  }

  /** Leases up to {@code limit} due persons to the node, the one that waited longest first. */
  public Future<List<Job>> claim(String node, int limit, Duration lease) {
    return database
        .owner(CLAIM, Tuple.of(version.id(), node, limit, lease.toMillis()))
        .map(rows -> list(
            rows,
            row -> new Job(
                new UserId(row.getString("user_id")),
                row.getInteger("attempts"),
                row.getBoolean("listed"))));
  }

  /** Keeps the leases of these persons; returns those that another node has by now. */
  public Future<Set<UserId>> renew(String node, List<UserId> users, Duration lease) {
    String[] ids = array(users, UserId::value, String[]::new);
    return database
        .owner(RENEW, Tuple.of(version.id(), node, ids, lease.toMillis()))
        .map(rows -> list(rows, row -> new UserId(row.getString("user_id"))).stream()
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** Persons with work in any version, waiting or claimed, counted up to {@code limit}. */
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
        .call(
            RELEASE,
            Tuple.of(user.value(), version.id(), node, seen, delay.toMillis())
                .addInteger(attempts)
                .addString(error))
        .mapEmpty();
  }

  /** Ends a person's job; false when something was asked for after {@code seen}. */
  public Future<Boolean> close(UserId user, String node, @Nullable OffsetDateTime seen) {
    return database
        .call(CLOSE, Tuple.of(user.value(), version.id(), node, seen))
        .map(rows -> first(rows).getBoolean("ok"));
  }

  /** Puts what lacks a vector of this version on the person's list, for a job that is not listed yet. */
  public Future<Void> list(UserId user) {
    return database.call(LIST, Tuple.of(user.value(), version.id())).mapEmpty();
  }

  /** The newest waiting texts, at most {@code limit}; none when nothing can be done now. */
  public Future<List<Waiting>> take(UserId user, int limit) {
    return database
        .call(TAKE, Tuple.of(user.value(), version.id(), limit, MAX_TEXT_CHARS))
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
            user.value(), version.id(), version.profileId(), version.model(), version.dimensions())
        .addArrayOfUUID(array(vectors, Embedded::messageId, UUID[]::new))
        .addArrayOfBuffer(array(vectors, Embedded::contentHash, Buffer[]::new))
        .addArrayOfFloat(flat(vectors));
    return database.call(WRITE, arguments).map(rows -> first(rows).getInteger("n"));
  }

  /** One flat array: text form would cost an event loop milliseconds a batch. */
  private Float[] flat(List<Embedded> vectors) {
    var flat = new Float[vectors.size() * version.dimensions()];
    int at = 0;
    for (Embedded embedded : vectors) {
      if (embedded.vector.length != version.dimensions()) {
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
    Tuple arguments = Tuple.of(user.value(), version.id())
        .addArrayOfUUID(array(failures, Failed::messageId, UUID[]::new))
        .addArrayOfBuffer(array(failures, Failed::contentHash, Buffer[]::new))
        .addArrayOfString(array(failures, Failed::code, String[]::new))
        .addArrayOfLong(array(failures, failed -> failed.delay.toMillis(), Long[]::new))
        .addArrayOfBoolean(array(failures, Failed::parked, Boolean[]::new));
    return database.call(FAIL, arguments).mapEmpty();
  }

  /** What is left to do; makes the counts exact and sets the status when nothing is. */
  public Future<Settlement> settle(UserId user) {
    return database.call(SETTLE, Tuple.of(user.value(), version.id())).map(rows -> {
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
    return database.call(FAIL_INDEX, Tuple.of(user.value(), version.id(), code)).mapEmpty();
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
