package dev.askgateway.evals;

import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.indexing.Indexer;
import dev.askgateway.indexing.IndexingConfig;
import dev.askgateway.indexing.IndexingEvents;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.RetrievalFixture;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.route.ContextRouter;
import dev.askgateway.retrieval.route.Routed;
import dev.askgateway.store.Database;
import dev.askgateway.store.EmbeddingVersion;
import dev.askgateway.store.IndexRepository;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.VersionRepository;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The product's own way from message to evidence on a database of its own: ingestion, indexer with the
 * model in this process, compiler, retriever. Blocking: for the main thread of a run or a test.
 */
final class Lab implements AutoCloseable {
  private static final int BATCH = 200;
  private static final int PATIENCE_MINUTES = 30;

  final VectorCache embedder;
  private final Vertx vertx;
  private final OnnxEmbedder model;
  private final StoreConfig store;
  private final Database database;
  private final IngestRepository ingest;
  private final Indexer indexer;
  private final ContextRouter router;
  private final QueryCompiler compiler = new QueryCompiler();
  private final Indexed indexed = new Indexed();

  private Lab(Vertx vertx, OnnxEmbedder model, @Nullable Path cache, RetrievalConfig config)
      throws Exception {
    this.vertx = vertx;
    this.model = model;
    embedder = new VectorCache(model, cache);
    String url = DevServices.shared().freshDatabase("evals");
    store = new StoreConfig(url, url, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
    new Migrations(store).migrate();
    database = new Database(vertx, store);
    ingest = new IngestRepository(database);
    var index = new IndexRepository(database, onlyVersion());
    indexer = new Indexer(vertx, "evals", index, embedder, IndexingConfig.DEFAULT, indexed);
    await(indexer.start());
    router = RetrievalFixture.router(
        vertx, database, new SearchRepository(database, config.exactBelow()), embedder, config);
  }

  /** The index that this model begins, as a node does that finds no vectors. */
  private EmbeddingVersion onlyVersion() throws Exception {
    var versions = new VersionRepository(database);
    await(versions.adopt(model.profileId(), model.model(), model.dimensions()));
    String key = EmbeddingVersion.modelKey(model.profileId(), model.model(), model.dimensions());
    return await(versions.watch("evals", Set.of(key))).get(0);
  }

  /** @param cache folder of vectors of earlier runs, or null */
  static Lab open(@Nullable Path cache, RetrievalConfig config) throws Exception {
    Vertx vertx = Vertx.vertx();
    return new Lab(vertx, await(OnnxEmbedder.load(vertx, OnnxConfig.DEFAULT)), cache, config);
  }

  /** Takes messages in and returns when all of them have their vectors. */
  void ingest(UserId user, List<IngestRepository.Message> messages) throws Exception {
    for (int from = 0; from < messages.size(); from += BATCH) {
      int to = Math.min(messages.size(), from + BATCH);
      var written = await(ingest.write(user, messages.subList(from, to)));
      indexed.expect(written.queued());
      indexer.wake(user);
    }
    await(indexed.all());
  }

  Retrieved ask(UserId user, String question, Instant at, ZoneId zone, Scope scope)
      throws Exception {
    return await(router
        .retrieve(
            user, question, compiler.compile(question, at, zone), at.atZone(zone), scope, Span.NONE)
        .map(Routed::found));
  }

  /** The platform's ids of a person's messages or chats by ours. */
  Map<UUID, String> ids(UserId user, boolean chats) throws SQLException {
    String sql = chats
        ? "SELECT id, platform_chat_id FROM ask.chats WHERE user_id = ?"
        : "SELECT id, platform_message_id FROM ask.messages WHERE user_id = ?";
    StoreConfig.Address address = StoreConfig.Address.of("url", store.url());
    Map<UUID, String> ids = new HashMap<>();
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        PreparedStatement statement = owner.prepareStatement(sql)) {
      statement.setString(1, user.value());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.put(rows.getObject(1, UUID.class), rows.getString(2));
        }
      }
    }
    return ids;
  }

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
    } catch (TimeoutException late) {
      throw new IllegalStateException("nothing came for " + PATIENCE_MINUTES + " minutes", late);
    }
  }

  @Override
  public void close() throws Exception {
    await(indexer.stop());
    await(model.close());
    await(database.close());
    await(vertx.close());
  }

  /** Counts vectors against what was queued. */
  private static final class Indexed implements IndexingEvents {
    private final java.util.concurrent.locks.ReentrantLock lock =
        new java.util.concurrent.locks.ReentrantLock();
    private long left;
    private @Nullable Promise<Void> waiting;

    void expect(int texts) {
      count(texts);
    }

    Future<Void> all() {
      lock.lock();
      try {
        if (left == 0) {
          return Future.succeededFuture();
        }
        Promise<Void> all = Promise.promise();
        waiting = all;
        return all.future();
      } finally {
        lock.unlock();
      }
    }

    private void count(long texts) {
      lock.lock();
      try {
        left += texts;
        if (left == 0 && waiting != null) {
          waiting.tryComplete();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void indexed(int texts) {
      count(-texts);
    }

    @Override
    public void failed(String code, boolean givenUp) {
      lock.lock();
      try {
        if (waiting != null) {
          waiting.tryFail(new IllegalStateException("indexing failed: " + code));
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void backlog(long persons) {}
  }
}
