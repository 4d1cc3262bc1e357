package dev.askgateway.evals.scale;

import dev.askgateway.devservices.KeptPostgres;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A database with the messages of a {@link World}, built once and kept in its folder. */
public final class ScaleData implements AutoCloseable {
  /** As if the model of the gateway had made the vectors, so that a gateway can be asked over the data. */
  public static final String PROFILE = "e5-384";

  static final String MODEL = "onnx:e5-small-v2-q";

  private static final int LOADERS = 2;
  /** Built after the rows, which takes a fraction of the time. */
  private static final List<String> LATE_INDEXES = List.of("messages_search", "embeddings_384");

  private static final Map<String, String> SETTINGS = Map.of(
      "shared_buffers", "4GB",
      "maintenance_work_mem", "3GB",
      "max_wal_size", "16GB",
      "max_connections", "100",
      "max_parallel_maintenance_workers", "1",
      "autovacuum", "off",
      "fsync", "off",
      "wal_level", "minimal",
      "max_wal_senders", "0",
      "full_page_writes", "off");

  /** As a gateway's database is run: what was told as done is on the disk. */
  private static final Map<String, String> DURABLE =
      Map.of("shared_buffers", "4GB", "max_wal_size", "4GB");

  final StoreConfig store;
  private final KeptPostgres server;
  private final World world;

  private ScaleData(KeptPostgres server, World world) throws Exception {
    this.server = server;
    this.world = world;
    store = new StoreConfig(
        server.url(), server.url(), "ask", "ask_gateway", 32, Duration.ofSeconds(30));
    new Migrations(store).migrate();
    if (!isLoaded()) {
      load();
    }
  }

  static ScaleData open(Path folder, World world) throws Exception {
    return new ScaleData(KeptPostgres.open(folder, SETTINGS), world);
  }

  /** The same data, built where they are not there, under a server that loses nothing. */
  public static ScaleData durable(Path folder, World world) throws Exception {
    open(folder, world).close();
    return new ScaleData(KeptPostgres.open(folder, DURABLE), world);
  }

  /** The owner's login, as {@code postgresql://user:password@host:port/database}. */
  public String url() {
    return store.url();
  }

  /** A connection of the owner, who sees all rows. */
  public Connection owner() throws SQLException {
    StoreConfig.Address address = StoreConfig.Address.of("url", store.url());
    Connection owner =
        DriverManager.getConnection(address.jdbc(), address.user(), address.password());
    try (Statement statement = owner.createStatement()) {
      statement.execute("SET search_path = ask, public");
    }
    return owner;
  }

  private boolean isLoaded() throws SQLException {
    try (Connection owner = owner();
        Statement statement = owner.createStatement();
        ResultSet row = statement.executeQuery("SELECT to_regclass('public.scale_loaded')")) {
      row.next();
      return row.getString(1) != null;
    }
  }

  private void load() throws Exception {
    long begun = System.nanoTime();
    try (Connection owner = owner();
        Statement statement = owner.createStatement()) {
      statement.execute(
          "SELECT adopt_embedding_version('%s', '%s', 384)".formatted(PROFILE, MODEL));
      List<String> indexes = new ArrayList<>();
      for (String index : LATE_INDEXES) {
        try (ResultSet row =
            statement.executeQuery("SELECT pg_get_indexdef('" + index + "'::regclass)")) {
          row.next();
          indexes.add(row.getString(1).replace(" ON ONLY ", " ON "));
        }
        statement.execute("DROP INDEX " + index);
      }
      rows();
      say("rows", begun);
      for (String index : indexes) {
        statement.execute(index);
        say(index, begun);
      }
      statement.execute("VACUUM (ANALYZE)");
      verify(statement);
      statement.execute("CREATE TABLE public.scale_loaded ()");
      say("all", begun);
    }
  }

  private void rows() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(LOADERS);
    try {
      List<Callable<Void>> parts = new ArrayList<>();
      for (int i = 0; i < LOADERS; i++) {
        int first = i;
        parts.add(() -> {
          try (Connection owner = owner()) {
            new Loader(world, owner).load(first, LOADERS);
          }
          return null;
        });
      }
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** The rows must be those that the product's own functions would have made. */
  private static void verify(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("""
        SELECT (SELECT count(*) FROM (SELECT * FROM messages ORDER BY id LIMIT 20000) m
                 WHERE m.content_hash IS DISTINCT FROM embedding_hash(m.platform, m.contact_name, m.from_me, m.content))
             + (SELECT count(*) FROM chats c LEFT JOIN (
                  SELECT user_id, chat_id, count(*) AS n, max("timestamp") AS newest FROM messages
                   WHERE NOT is_deleted GROUP BY 1, 2) m ON m.user_id = c.user_id AND m.chat_id = c.id
                 WHERE c.message_count <> coalesce(m.n, 0) OR c.last_message_at IS DISTINCT FROM m.newest)
        """)) {
      row.next();
      if (row.getLong(1) != 0) {
        throw new IllegalStateException(row.getLong(1) + " rows are not as the product makes them");
      }
    }
  }

  private static void say(String what, long begun) {
    System.out.printf("%s: after %d s%n", what, (System.nanoTime() - begun) / 1_000_000_000L);
    System.out.flush();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
