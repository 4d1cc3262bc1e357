package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.StandingDelay;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pool, and the only ways to it: for one person ({@link #as}), through an owner function that
 * returns ids ({@link #owner}), or for what is nobody's ({@link #call}). Failures arrive as {@link
 * GatewayError}.
 */
public final class Database {
  /**
   * Also lets no statement go over to a plan for anybody: such a plan knows neither the person's partition
   * nor that a given list of ids is short, and has read a whole account for each of sixteen ids.
   */
  private static final String PERSON = """
      SELECT set_config('ask.user_id', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true)
      """;

  private final Vertx vertx;
  private final Pool pool;
  private final Connections connections;
  private final long silenceMillis;

  /**
   * How long the server may take.
   *
   * @param statement longest run of a statement, waits for locks among it; the server ends it
   * @param silence longest wait for the end of a piece of work; more than a statement's run, whose end
   *     the server tells
   */
  record Limits(Duration statement, Duration silence) {
    static final Limits USUAL = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(35));

    /** Of an operator's command, which may read whole tables. */
    static final Limits COMMAND = new Limits(Duration.ofMinutes(30), Duration.ofMinutes(31));
  }

  public Database(Vertx vertx, StoreConfig config) {
    this(vertx, config, Limits.USUAL);
  }

  Database(Vertx vertx, StoreConfig config, Limits limits) {
    this(
        vertx,
        config,
        limits,
        StoreConfig.Address.of("database.url", config.url()),
        config.role(),
        Map.of());
  }

  /**
   * As the owner of the tables, for commands that look at everybody's rows; never for a request. Where
   * row-level security would hold all the same, a statement fails: it does not quietly see nothing.
   */
  public static Database ofOwner(Vertx vertx, StoreConfig config) {
    StoreConfig.Address owner =
        StoreConfig.Address.of("database.migrationUrl", config.migrationUrl());
    return new Database(
        vertx, config, Limits.COMMAND, owner, owner.user(), Map.of("row_security", "off"));
  }

  private Database(
      Vertx vertx,
      StoreConfig config,
      Limits limits,
      StoreConfig.Address address,
      String role,
      Map<String, String> settings) {
    this.vertx = vertx;
    PgConnectOptions connect = new PgConnectOptions()
        .setHost(address.host())
        .setPort(address.port())
        .setDatabase(address.database())
        .setUser(address.user())
        .setPassword(address.password())
        .setCachePreparedStatements(true)
        .setPreparedStatementCacheMaxSize(256)
        .setReconnectAttempts(0)
        .addProperty("application_name", "ask-gateway")
        // Whoever logs in, row-level security holds: the work is done as the gateway's role.
        .addProperty("role", role)
        .addProperty("search_path", config.schema() + ",public")
        .addProperty("statement_timeout", String.valueOf(limits.statement().toMillis()));
    settings.forEach(connect::addProperty);
    Tls.of(address.query()).applyTo(connect);
    silenceMillis = limits.silence().toMillis();
    pool = PgBuilder.pool()
        .with(new PoolOptions()
            .setName("sql") // a label of metrics
            .setMaxSize(config.poolSize())
            .setMaxWaitQueueSize(config.poolSize() * 50)
            .setConnectionTimeout(0)) // ours: see Connections
        .with(new NetClientOptions()
            .setConnectTimeout((int) config.acquireTimeout().toMillis())
            .setTcpKeepAlive(true))
        .connectingTo(connect)
        .using(vertx)
        .build();
    connections = new Connections(vertx, pool, config.acquireTimeout());
  }

  /** Over somebody else's pool. */
  Database(Vertx vertx, Pool pool, Duration acquire, Limits limits) {
    this.vertx = vertx;
    this.pool = pool;
    connections = new Connections(vertx, pool, acquire);
    silenceMillis = limits.silence().toMillis();
  }

  /**
   * Runs statements for one person, in one transaction. The result is handed on after the commit;
   * nothing is retried.
   *
   * <p>The statements wait for the person to be set: sent in the same flight, a cached statement
   * could overtake one that has yet to be prepared.
   */
  public <T> Future<T> as(UserId user, Function<SqlClient, Future<T>> work) {
    return withConnection(connection -> transaction(connection, user, work))
        .recover(failure -> Future.failedFuture(translate(failure)));
  }

  /**
   * Works with a connection. One that says nothing any more is not given back to be handed on: it stays
   * taken until it breaks.
   */
  private <T> Future<T> withConnection(Function<SqlConnection, Future<T>> work) {
    return connections.take().compose(connection -> work.apply(connection)
        .eventually(connection::close)
        .timeout(silenceMillis, TimeUnit.MILLISECONDS));
  }

  private static <T> Future<T> transaction(
      SqlConnection connection, UserId user, Function<SqlClient, Future<T>> work) {
    Future<RowSet<Row>> begun = connection.query("BEGIN").execute();
    Future<RowSet<Row>> person = connection.preparedQuery(PERSON).execute(Tuple.of(user.value()));
    return begun
        .compose(ok -> person)
        .compose(ok -> work.apply(connection))
        .transform(done -> done.succeeded()
            ? connection.query("COMMIT").execute().map(done.result())
            : connection
                .query("ROLLBACK")
                .execute()
                .transform(ignored -> Future.failedFuture(done.cause())));
  }

  /**
   * Runs one statement that sets its person itself, a call of a SQL function, or that needs none. One
   * round trip.
   */
  public Future<RowSet<Row>> call(String sql, Tuple arguments) {
    return withConnection(connection -> connection.preparedQuery(sql).execute(arguments))
        .recover(failure -> Future.failedFuture(translate(failure)));
  }

  /** The same, run again when it was given up for another one's sake, which leaves nothing behind. */
  Future<RowSet<Row>> callAgain(String sql, Tuple arguments, int tries) {
    return call(sql, arguments)
        .recover(failure -> tries > 1 && lostARace(failure)
            ? callAgain(sql, arguments, tries - 1)
            : Future.failedFuture(failure));
  }

  Vertx vertx() {
    return vertx;
  }

  /** Runs an owner function, which sees all persons and returns ids only. */
  public Future<RowSet<Row>> owner(String sql, Tuple arguments) {
    return call(sql, arguments);
  }

  /** Succeeds when the database answers and the role is bound by policy. */
  public Future<Void> check() {
    return single("""
            SELECT (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS unbound
            """)
        .compose(row -> holds(
            !row.getBoolean("unbound"), "the gateway's role is not subject to row-level security"));
  }

  /** Succeeds when the schema has this migration: a newer schema serves older nodes, too. */
  public Future<Void> checkSchema(int newest) {
    return single("SELECT schema_version() AS version")
        .compose(row -> holds(
            row.getInteger("version") >= newest,
            "the schema is at " + row.getInteger("version") + ", this build needs " + newest));
  }

  private Future<Row> single(String sql) {
    return withConnection(connection -> connection.query(sql).execute())
        .map(rows -> rows.iterator().next())
        .recover(failure -> Future.failedFuture(translate(failure)));
  }

  private static Future<Void> holds(boolean holds, String otherwise) {
    return holds
        ? Future.succeededFuture()
        : Future.failedFuture(new IllegalStateException(otherwise));
  }

  /** How long a connection is waited for. */
  public StandingDelay waits() {
    return connections.waits();
  }

  public Future<Void> close() {
    return pool.close();
  }

  /** Whether the database gave a transaction up for another one's sake: it may be run again. */
  private static boolean lostARace(Throwable failure) {
    return failure.getCause() instanceof PgException refused
        && ("40P01".equals(refused.getSqlState()) || "40001".equals(refused.getSqlState()));
  }

  /** What a failed statement means to a client. The database's own words stay in the cause. */
  static Throwable translate(Throwable failure) {
    if (failure instanceof GatewayError) {
      return failure;
    }
    if (!(failure instanceof PgException refused)) {
      return new GatewayError(
          GatewayError.Code.DEPENDENCY_UNAVAILABLE, "The database is not reachable.", failure);
    }
    String state = refused.getSqlState() == null ? "" : refused.getSqlState();
    return refusal(state, String.valueOf(refused.getErrorMessage()), refused.getDetail(), refused);
  }

  /** What a refusal with this SQLSTATE means to a client; of some the detail says more, as JSON. */
  static GatewayError refusal(
      String state, String message, @Nullable String detail, @Nullable Throwable cause) {
    return switch (state) {
      case "AG402" -> GatewayError.budgetExhausted(BudgetRefusals.of(detail));
      case "AG429" -> BudgetRefusals.tooManyOpen();
      case "AG403" ->
        new GatewayError(GatewayError.Code.AI_DISABLED, "The assistant is off for this account.");
      case "AG404" -> GatewayError.notFound("chat".equals(message) ? "chat" : "thread");
      case "AG409" ->
        new GatewayError(
            GatewayError.Code.REQUEST_CONFLICT, "This request id was used with another body.");
      default ->
        // Class 08: connection, 53: resources, 57: shut down. The rest is our own fault.
        state.startsWith("08") || state.startsWith("53") || state.startsWith("57")
            ? new GatewayError(
                GatewayError.Code.DEPENDENCY_UNAVAILABLE, "The database is not available.", cause)
            : new GatewayError(GatewayError.Code.INTERNAL, "Something went wrong here.", cause);
    };
  }
}
