package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.EmbeddingVersion.State;
import dev.askgateway.store.IndexRepository;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IndexerIT {
  private static final IndexingConfig QUICK = new IndexingConfig(
      2,
      2,
      4,
      100_000,
      2,
      Duration.ofMillis(50),
      Duration.ofSeconds(1),
      Duration.ofMillis(5),
      Duration.ofMillis(20),
      2,
      3,
      Duration.ofMillis(100));
  private static final UserId ANA = new UserId("ana");
  private static final UserId BEN = new UserId("ben");

  private static Vertx vertx;
  private static Conversations conversations;
  private static Database database;
  private static IndexRepository repository;
  private static ChatRepository people;

  private final FakeEmbedder embedder = FakeEmbedder.open();
  private final List<Indexer> started = new ArrayList<>();

  @BeforeAll
  static void open() throws SQLException {
    vertx = Vertx.vertx();
    conversations = Conversations.fresh();
    database = new Database(vertx, conversations.config);
    repository = new IndexRepository(database, conversations.version(State.ACTIVE));
    people = new ChatRepository(database);
  }

  @AfterAll
  static void close() throws SQLException {
    database.close().await();
    conversations.close();
    vertx.close().await();
  }

  @BeforeEach
  void clear() throws SQLException {
    conversations.execute("""
        TRUNCATE messages, conversation_message_embeddings, embedding_pending, embedding_jobs,
                 conversation_assistant_index_state
        """);
  }

  @AfterEach
  void stop() {
    embedder.gate = texts -> Future.succeededFuture();
    Future.all(started.stream().map(Indexer::stop).toList()).await();
  }

  private Indexer start(String node) {
    return start(node, QUICK, embedder);
  }

  private Indexer start(String node, IndexingConfig config, FakeEmbedder with) {
    var indexer = new Indexer(vertx, node, repository, with, config, IndexingEvents.NONE);
    started.add(indexer);
    indexer.start().await();
    return indexer;
  }

  /** Asks again and again, on a worker, until it is so; fails after 20 s. */
  private static void until(Callable<Boolean> so) {
    Promise<Void> reached = Promise.promise();
    long timer = vertx.setPeriodic(1, 15, tick -> vertx
        .executeBlocking(so)
        .onSuccess(yes -> {
          if (yes) {
            reached.tryComplete();
          }
        })
        .onFailure(reached::tryFail));
    try {
      reached.future().timeout(20, TimeUnit.SECONDS).await();
    } finally {
      vertx.cancelTimer(timer);
    }
  }

  private static void untilStatus(UserId user, String status) {
    until(() -> status(user).getString("status").equals(status));
  }

  private static JsonObject status(UserId user) {
    try {
      return people
          .indexStatus(user)
          .toCompletionStage()
          .toCompletableFuture()
          .get(5, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private static void untilClosed() {
    until(() -> conversations.number("SELECT count(*) FROM embedding_jobs") == 0);
  }

  private static String formatted(String text) {
    return "Platform: whatsapp\nSender: Ana\nMessage: " + text;
  }

  /** Every live text has the vector of its text, nothing else has one, and the counters say so. */
  private static void assertExact(UserId user) throws SQLException {
    var wanted = conversations.strings("""
        SELECT id || ' ' || embedding_text(platform, contact_name, from_me, content) FROM messages
         WHERE user_id = ? AND NOT is_deleted AND content <> '' ORDER BY id
        """, user.value());
    var found = conversations.strings("""
        SELECT m.id || ' ' || embedding_text(m.platform, m.contact_name, m.from_me, m.content)
          FROM conversation_message_embeddings e JOIN messages m ON m.user_id = e.user_id AND m.id = e.message_id
         WHERE e.user_id = ? AND e.content_hash = m.content_hash AND NOT m.is_deleted ORDER BY m.id
        """, user.value());
    assertThat(found).isEqualTo(wanted);
    assertThat(conversations.vectors(user)).isEqualTo(wanted.size());
    var vectors = conversations.strings("""
        SELECT embedding::text || '|' || embedding_text(m.platform, m.contact_name, m.from_me, m.content)
          FROM conversation_message_embeddings e JOIN messages m ON m.user_id = e.user_id AND m.id = e.message_id
         WHERE e.user_id = ?
        """, user.value());
    for (String row : vectors) {
      String[] parts = row.split("\\|", 2);
      var stored = parts[0].substring(1, parts[0].length() - 1).split(",");
      var expected = FakeEmbedder.vectorOf(parts[1]);
      for (int i = 0; i < expected.length; i++) {
        assertThat(Float.parseFloat(stored[i])).isEqualTo(expected[i]);
      }
    }
    assertThat(status(user).getLong("totalCount")).isEqualTo(wanted.size());
    assertThat(status(user).getLong("indexedCount")).isEqualTo(wanted.size());
  }

  @Test
  @DisplayName(
      "messages get the vectors of their three lines, the counters are exact and the job is gone")
  void indexes() throws SQLException {
    for (int i = 0; i < 10; i++) {
      conversations.add(ANA, "message " + i);
    }
    conversations.add(ANA, null);

    start("one");
    untilClosed();

    assertThat(status(ANA).getString("status")).isEqualTo("ready");
    assertThat(status(ANA).getString("lastIndexedAt")).isNotNull();
    assertThat(embedder.texts())
        .hasSize(10)
        .contains("Platform: whatsapp\nSender: Ana\nMessage: message 3");
    assertThat(embedder.calls).hasSize(3);
    assertExact(ANA);
  }

  @Test
  @DisplayName("a person nobody wrote for has an idle index of nothing")
  void idle() {
    assertThat(status(new UserId("nobody")))
        .isEqualTo(new JsonObject(
            "{\"status\":\"idle\",\"indexedCount\":0,\"totalCount\":0,\"lastIndexedAt\":null,\"lastError\":null,"
                + "\"waitingCount\":0,\"parkedCount\":0,\"parkedByCode\":{}}"));
  }

  @Test
  @DisplayName("a new message is indexed at once when its node wakes the indexer, without any poll")
  void wake() throws SQLException {
    var rarely = new IndexingConfig(
        1,
        1,
        4,
        100_000,
        2,
        Duration.ofHours(1),
        Duration.ofHours(1),
        QUICK.retryBase(),
        QUICK.retryCeiling(),
        2,
        3,
        QUICK.versionInterval());
    var indexer = start("one", rarely, embedder);
    untilClosed();

    conversations.add(ANA, "fresh");
    indexer.wake(ANA);

    untilStatus(ANA, "ready");
    assertExact(ANA);
  }

  @Test
  @DisplayName(
      "an edit while its message is being embedded: the old result is dropped, the new text is indexed")
  void editDuringIndexing() throws SQLException {
    Promise<Void> old = Promise.promise();
    Promise<Void> fresh = Promise.promise();
    embedder.gate = texts -> texts.get(0).contains("before") ? old.future() : fresh.future();
    UUID id = conversations.add(ANA, "before");
    start("one");
    until(() -> embedder.calls.size() == 1);

    conversations.edit(ANA, id, "after");
    old.complete();
    until(() -> embedder.calls.size() == 2);

    assertThat(conversations.vectors(ANA)).isZero();
    assertThat(status(ANA).getString("status")).isEqualTo("indexing");
    fresh.complete();
    untilClosed();
    assertThat(embedder.texts()).containsExactly(formatted("before"), formatted("after"));
    assertExact(ANA);
  }

  @Test
  @DisplayName("a message deleted while it is being embedded gets no vector")
  void deleteDuringIndexing() throws SQLException {
    Promise<Void> held = Promise.promise();
    embedder.gate = texts -> held.future();
    conversations.add(ANA, "stays");
    UUID id = conversations.add(ANA, "goes");
    start("one");
    until(() -> embedder.texts().size() == 2);

    conversations.delete(ANA, id);
    held.complete();

    untilClosed();
    assertThat(conversations.vectors(ANA)).isEqualTo(1);
    assertThat(status(ANA).getString("status")).isEqualTo("ready");
    assertExact(ANA);
  }

  @Test
  @DisplayName("deleted and emptied messages on the list are taken off it, and their vectors go")
  void nothingToIndex() throws SQLException {
    UUID deleted = conversations.add(ANA, "deleted behind the list's back");
    UUID emptied = conversations.add(ANA, "emptied");
    start("one");
    untilClosed();
    assertThat(conversations.vectors(ANA)).isEqualTo(2);

    conversations.inTransaction(() -> {
      conversations.execute("UPDATE messages SET is_deleted = true WHERE id = ?", deleted);
      conversations.execute(
          "UPDATE messages SET content = NULL, content_hash = NULL WHERE id = ?", emptied);
      conversations.queue(ANA, deleted);
      conversations.queue(ANA, emptied);
    });

    untilClosed();
    assertThat(conversations.vectors(ANA)).isZero();
    assertThat(conversations.number("SELECT count(*) FROM embedding_pending")).isZero();
    assertThat(embedder.texts()).hasSize(2);
    assertThat(status(ANA).getLong("indexedCount")).isZero();
  }

  @Test
  @DisplayName(
      "two nodes share the work, never the same person at the same time, and embed each text once")
  void twoNodes() throws SQLException {
    var atWork = new ConcurrentHashMap<String, String>();
    var overlaps = new ConcurrentLinkedQueue<String>();
    var nodes = new HashMap<String, FakeEmbedder>();
    for (String node : List.of("one", "two")) {
      var own = FakeEmbedder.open();
      own.gate = texts -> {
        String person = texts.get(0).replaceAll("(?s).*Message: (\\w+) .*", "$1");
        String other = atWork.putIfAbsent(person, node);
        if (other != null) {
          overlaps.add(person + " by " + other + " and " + node);
        }
        Promise<Void> later = Promise.promise();
        vertx.setTimer(3, done -> {
          atWork.remove(person);
          later.complete();
        });
        return later.future();
      };
      nodes.put(node, own);
    }
    for (int person = 0; person < 8; person++) {
      for (int i = 0; i < 20; i++) {
        conversations.add(new UserId("p" + person), "p" + person + " says " + i);
      }
    }

    nodes.forEach((node, own) -> start(node, QUICK, own));
    untilClosed();

    var all = new ArrayList<>(nodes.get("one").texts());
    all.addAll(nodes.get("two").texts());
    assertThat(overlaps).isEmpty();
    assertThat(all).hasSize(160).doesNotHaveDuplicates();
    assertThat(nodes.get("one").calls).isNotEmpty();
    assertThat(nodes.get("two").calls).isNotEmpty();
    for (int person = 0; person < 8; person++) {
      assertExact(new UserId("p" + person));
    }
  }

  @Test
  @DisplayName("what a node that died has left is taken up when its lease has lapsed")
  void crash() throws SQLException {
    conversations.add(ANA, "left behind");
    assertThat(repository.claim("dead", 10, Duration.ofMillis(300)).await())
        .extracting(IndexRepository.Job::user)
        .containsExactly(ANA);
    assertThat(repository.claim("other", 10, Duration.ofSeconds(1)).await()).isEmpty();

    start("alive");

    untilStatus(ANA, "ready");
    assertExact(ANA);
  }

  @Test
  @DisplayName("a node keeps its person for longer than a lease, and lets go of one it has lost")
  void leaseIsRenewed() throws SQLException {
    Promise<Void> held = Promise.promise();
    embedder.gate = texts -> held.future();
    conversations.add(ANA, "slow");
    start("one");
    until(() -> embedder.calls.size() == 1);
    var first = conversations.strings("SELECT lease_until FROM embedding_jobs").get(0);

    until(() ->
        !conversations.strings("SELECT lease_until FROM embedding_jobs").get(0).equals(first));
    assertThat(repository.claim("two", 10, Duration.ofSeconds(1)).await()).isEmpty();

    conversations.execute(
        "UPDATE embedding_jobs SET lease_node = 'two', lease_until = now() + '1 hour'");
    assertThat(repository.renew("one", List.of(ANA), Duration.ofSeconds(1)).await())
        .isEqualTo(Set.of(ANA));
    held.complete();
    until(() -> conversations.vectors(ANA) == 1);
    assertThat(conversations.strings("SELECT lease_node FROM embedding_jobs"))
        .containsExactly("two");
  }

  @Test
  @DisplayName(
      "a stopped node gives back what it has not done, and its next start goes on from there")
  void restart() throws SQLException {
    for (int i = 0; i < 12; i++) {
      conversations.add(ANA, "message " + i);
    }
    Promise<Void> held = Promise.promise();
    embedder.gate = texts -> held.future();
    var first = start("one");
    until(() -> embedder.calls.size() == 1);

    var stopped = first.stop();
    held.complete();
    stopped.await();

    assertThat(conversations.vectors(ANA)).isEqualTo(4);
    assertThat(conversations.strings("SELECT lease_node FROM embedding_jobs"))
        .containsExactly((String) null);
    start("one");
    untilClosed();
    assertThat(embedder.texts()).hasSize(12).doesNotHaveDuplicates();
    assertExact(ANA);
  }

  @Test
  @DisplayName(
      "a text the embedder refuses is given up and shown; all others are indexed; an edit heals it")
  void poison() throws SQLException {
    embedder.gate = FakeEmbedder.refusing("POISON", GatewayError.Code.INVALID_REQUEST);
    UUID bad = null;
    for (int i = 0; i < 10; i++) {
      UUID id = conversations.add(ANA, (i == 4 ? "POISON " : "fine ") + i);
      bad = i == 4 ? id : bad;
    }
    conversations.add(BEN, "not concerned");

    start("one");
    untilClosed();

    assertThat(status(ANA).getString("status")).isEqualTo("failed");
    assertThat(status(ANA).getString("lastError")).isEqualTo("invalid_request");
    assertThat(status(ANA).getLong("indexedCount")).isEqualTo(9);
    assertThat(status(ANA).getLong("totalCount")).isEqualTo(10);
    assertThat(status(ANA).getLong("parkedCount")).isEqualTo(1);
    assertThat(status(ANA).getJsonObject("parkedByCode"))
        .isEqualTo(new JsonObject().put("invalid_request", 1));
    assertThat(status(ANA).getLong("waitingCount")).isZero();
    assertThat(status(BEN).getString("status")).isEqualTo("ready");
    assertThat(conversations.strings("SELECT message_id FROM embedding_pending WHERE parked"))
        .containsExactly(String.valueOf(bad));

    // Another message does not try it again.
    long tries =
        embedder.texts().stream().filter(text -> text.contains("POISON")).count();
    conversations.add(ANA, "one more");
    untilClosed();
    assertThat(embedder.texts().stream().filter(text -> text.contains("POISON")))
        .hasSize((int) tries);
    assertThat(status(ANA).getString("status")).isEqualTo("failed");

    conversations.edit(ANA, bad, "healed");
    untilClosed();
    assertThat(status(ANA).getString("status")).isEqualTo("ready");
    assertThat(status(ANA).getString("lastError")).isNull();
    assertExact(ANA);
  }

  @Test
  @DisplayName("a text that makes the provider fail is found among its neighbours and given up")
  void poisonDisguisedAsOutage() throws SQLException {
    embedder.gate = FakeEmbedder.refusing("POISON", GatewayError.Code.PROVIDER_FAILED);
    for (int i = 0; i < 8; i++) {
      conversations.add(ANA, (i == 6 ? "POISON " : "fine ") + i);
    }

    start("one");
    untilClosed();

    assertThat(status(ANA).getString("status")).isEqualTo("failed");
    assertThat(conversations.vectors(ANA)).isEqualTo(7);
    assertThat(status(ANA).getString("lastError")).isEqualTo("provider_failed");
  }

  @Test
  @DisplayName(
      "an outage blames no text: it shows after a while, and everything is indexed when it is over")
  void outage() throws SQLException {
    embedder.gate = FakeEmbedder.refusing("", GatewayError.Code.PROVIDER_TIMEOUT);
    for (int i = 0; i < 6; i++) {
      conversations.add(ANA, "message " + i);
    }
    start("one");

    untilStatus(ANA, "failed");
    assertThat(status(ANA).getString("lastError")).isEqualTo("provider_timeout");
    assertThat(conversations.number("SELECT max(attempts) FROM embedding_pending"))
        .isZero();
    assertThat(conversations.number("SELECT min(attempts) FROM embedding_jobs"))
        .isGreaterThanOrEqualTo(QUICK.visibleAfter() - 1L);

    embedder.gate = texts -> Future.succeededFuture();
    untilClosed();
    assertThat(status(ANA).getString("status")).isEqualTo("ready");
    assertExact(ANA);
  }

  @Test
  @DisplayName("a person with much to index does not keep another one waiting for the end of it")
  void fair() throws SQLException {
    var narrow = new IndexingConfig(
        1,
        1,
        4,
        100_000,
        1,
        QUICK.pollInterval(),
        QUICK.lease(),
        QUICK.retryBase(),
        QUICK.retryCeiling(),
        2,
        3,
        QUICK.versionInterval());
    for (int i = 0; i < 40; i++) {
      conversations.add(ANA, "long history " + i);
    }
    conversations.add(BEN, "short question");

    start("one", narrow, embedder);
    untilClosed();

    var order = new ArrayList<>(embedder.calls);
    int ben = 0;
    while (!order.get(ben).get(0).contains("short question")) {
      ben++;
    }
    assertThat(ben).isLessThanOrEqualTo(2);
    assertThat(order).hasSize(11);
  }

  @Test
  @DisplayName(
      "one person's rows are nobody else's: not to read, and not touched by another's reindex")
  void isolation() throws SQLException {
    conversations.add(ANA, "Ana's secret");
    conversations.add(BEN, "Ben's secret");
    var indexer = start("one");
    untilClosed();
    indexer.stop().await();

    for (UserId user : List.of(ANA, BEN)) {
      long seen = database
          .as(user, client -> client
              .query("SELECT count(*) AS n FROM conversation_message_embeddings")
              .execute()
              .map(rows -> rows.iterator().next().getLong("n")))
          .await();
      assertThat(seen).isEqualTo(1);
    }
    conversations.execute("DELETE FROM conversation_message_embeddings");
    assertThat(people.requestReindex(ANA).await()).isEqualTo(1);
    assertThat(conversations.strings("SELECT DISTINCT user_id FROM embedding_pending"))
        .containsExactly("ana");
  }

  @Test
  @DisplayName(
      "a reindex queues what is missing, stale, given up or wrongly hashed, and nothing else")
  void reindex() throws SQLException {
    embedder.gate = FakeEmbedder.refusing("POISON", GatewayError.Code.INVALID_REQUEST);
    conversations.add(ANA, "current");
    UUID lost = conversations.add(ANA, "lost");
    UUID wrong = conversations.add(ANA, "wrong");
    conversations.add(ANA, "POISON");
    UUID gone = conversations.add(ANA, "gone");
    start("one");
    untilClosed();
    conversations.delete(ANA, gone);
    conversations.execute("DELETE FROM conversation_message_embeddings WHERE message_id = ?", lost);
    conversations.execute("UPDATE messages SET content_hash = NULL WHERE id = ?", wrong);
    conversations.execute(
        "DELETE FROM conversation_message_embeddings WHERE message_id = ?", wrong);

    embedder.gate = texts -> Future.succeededFuture();
    assertThat(people.requestReindex(ANA).await()).isEqualTo(3);

    untilClosed();
    assertThat(status(ANA).getString("status")).isEqualTo("ready");
    assertExact(ANA);
    assertThat(people.requestReindex(ANA).await()).isZero();
  }

  @Test
  @DisplayName("the counters ingestion and indexing keep are put right by a recount")
  void recount() throws SQLException {
    conversations.add(ANA, "one");
    conversations.add(ANA, "two");
    start("one");
    untilClosed();
    conversations.execute(
        "UPDATE conversation_assistant_index_state SET total_count = 77, indexed_count = 80");
    assertThat(status(ANA).getLong("indexedCount")).isEqualTo(77);

    conversations.execute("SELECT index_counts_refresh('ana')");

    assertExact(ANA);
  }

  @Test
  @DisplayName(
      "after any mix of new, edited and deleted messages while two nodes work, the index is exact")
  void anyInterleaving() throws SQLException {
    var random = new Random(20261130);
    start("one");
    start("two", QUICK, embedder);
    Map<UserId, List<UUID>> live =
        new HashMap<>(Map.of(ANA, new ArrayList<>(), BEN, new ArrayList<>()));
    for (int i = 0; i < 300; i++) {
      UserId user = random.nextBoolean() ? ANA : BEN;
      List<UUID> ids = live.get(user);
      int choice = random.nextInt(10);
      if (ids.isEmpty() || choice < 5) {
        ids.add(conversations.add(user, "text " + i));
      } else if (choice < 8) {
        conversations.edit(user, ids.get(random.nextInt(ids.size())), "edited " + i);
      } else {
        conversations.delete(user, ids.remove(random.nextInt(ids.size())));
      }
    }

    untilClosed();
    assertExact(ANA);
    assertExact(BEN);
    assertThat(status(ANA).getString("status")).isEqualTo("ready");
    assertThat(status(BEN).getString("status")).isEqualTo("ready");
  }
}
