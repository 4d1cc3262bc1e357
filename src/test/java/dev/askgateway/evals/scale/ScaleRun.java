package dev.askgateway.evals.scale;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.Embedder;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.RetrievalFixture;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.route.ContextRouter;
import dev.askgateway.retrieval.route.Routed;
import dev.askgateway.store.Database;
import dev.askgateway.store.SearchFilters;
import dev.askgateway.store.SearchHit;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.SearchVector;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks the product's own router and retriever, and measures them. */
final class ScaleRun {
  private static final List<Integer> AT_ONCE = List.of(1, 16);
  private static final int NEAREST = 10;
  /** Persons of the middle: after the one with a fifth of all. */
  private static final int MIDDLE = 20;

  private final World world;
  private final int questions;
  private final Vertx vertx = Vertx.vertx();
  private final Database database;
  private final Cpu cpu;
  private final SearchRepository messages;
  private final SearchRepository exactly;
  private final ContextRouter router;
  private final Vectors vectors = new Vectors();
  private final StringBuilder table = new StringBuilder();
  private final JsonArray rows = new JsonArray();

  ScaleRun(World world, ScaleData data, int questions) throws SQLException {
    this.world = world;
    this.questions = questions;
    RetrievalConfig config = withoutFloorsOfTheModel(RetrievalConfig.DEFAULT);
    database = new Database(vertx, data.store);
    cpu = new Cpu(data.owner());
    messages = new SearchRepository(database, config.exactBelow());
    exactly = new SearchRepository(database, Long.MAX_VALUE);
    router = RetrievalFixture.router(vertx, database, messages, vectors, config);
  }

  /** The floors of a model say nothing of vectors that it did not make. */
  private static RetrievalConfig withoutFloorsOfTheModel(RetrievalConfig config) {
    return new RetrievalConfig(
        config.depth(),
        config.rrfK(),
        config.preferredWeight(),
        config.speakerLift(),
        config.termShare(),
        config.cosineFloor(),
        Map.of(),
        Map.of(),
        config.windowBefore(),
        config.windowAfter(),
        config.windowMessages(),
        config.windowChars(),
        config.anchors(),
        config.exactBelow(),
        config.groups(),
        config.legTimeout());
  }

  /** Whose messages are asked. */
  private List<World.Person> people(String account) {
    Random random = new Random(7);
    List<World.Person> people = new ArrayList<>();
    switch (account) {
      case "big" -> people.add(world.person(0));
      case "middle" -> {
        for (int i = 1; i <= MIDDLE; i++) {
          people.add(world.person(i));
        }
      }
      default -> {
        for (int i = 0; i < 50; i++) {
          people.add(world.person(MIDDLE + 1 + random.nextInt(world.people() - MIDDLE - 1)));
        }
      }
    }
    return people;
  }

  private List<Asked> asked(List<World.Person> people, Asked.Kind kind, int count, long seed) {
    Random random = new Random(seed);
    List<Asked> all = new ArrayList<>();
    int each = Math.max(4, count / people.size());
    for (World.Person person : people) {
      all.addAll(Asked.about(world, person, kind, each, random));
    }
    Collections.shuffle(all, random);
    return all;
  }

  JsonObject run() throws Exception {
    table.append("account  kind    at once  found |  p50     p95     p99 ms  CPU ms\n");
    for (String account :
        System.getProperty("scale.accounts", "big,middle,ordinary").split(",")) {
      List<World.Person> people = people(account);
      for (Asked.Kind kind : Asked.Kind.values()) {
        warm(asked(people, kind, 100, 1));
        for (int atOnce : AT_ONCE) {
          retrieval(account, kind, atOnce, asked(people, kind, questions, 2 + atOnce));
        }
        legs(account, kind, asked(people, kind, questions, 99));
        recall(account, kind, asked(people, kind, Math.min(questions, 100), 3));
      }
    }
    return new JsonObject().put("rows", rows).put("exactFallbacks", messages.exactFallbacks());
  }

  private void warm(List<Asked> some) throws Exception {
    // From the disk, the first may take longer than a leg is given.
    Rounds.of(vertx, some, 4, asked -> ask(asked).otherwiseEmpty());
  }

  private Future<Retrieved> ask(Asked asked) {
    vectors.known.put(asked.text(), asked.vector());
    return router
        .retrieve(
            asked.user(),
            asked.text(),
            asked.plan(),
            Instant.now().atZone(ZoneOffset.UTC),
            asked.scope(),
            Span.NONE)
        .map(Routed::found);
  }

  private void retrieval(String account, Asked.Kind kind, int atOnce, List<Asked> all)
      throws Exception {
    AtomicInteger named = new AtomicInteger();
    AtomicInteger found = new AtomicInteger();
    double before = cpu.millis();
    Spread spread = Rounds.of(vertx, all, atOnce, asked -> ask(asked).onSuccess(pack -> {
      if (asked.named()) {
        named.incrementAndGet();
        found.addAndGet(holds(pack, asked.answer()) ? 1 : 0);
      }
    }));
    double each = (cpu.millis() - before) / all.size();
    double share = (double) found.get() / Math.max(1, named.get());
    row(
        account,
        kind,
        "retrieval",
        spread,
        new JsonObject().put("atOnce", atOnce).put("found", share).put("cpuMillis", each));
    say("%-8s %-7s %7d  %.3f |%s %6.1f"
        .formatted(account, name(kind), atOnce, share, spread, each));
  }

  private static boolean holds(Retrieved pack, UUID answer) {
    return pack.pack().windows().stream()
        .flatMap(window -> window.messages().stream())
        .map(EvidenceMessage::id)
        .anyMatch(answer::equals);
  }

  private void legs(String account, Asked.Kind kind, List<Asked> all) throws Exception {
    int depth = RetrievalConfig.DEFAULT.depth();
    Spread lexical = Rounds.of(
        vertx,
        all,
        1,
        asked -> messages.lexical(
            asked.user(),
            SearchWords.of(LexicalQuery.of(asked.text(), asked.plan())),
            filters(asked),
            depth));
    Spread vector = Rounds.of(vertx, all, 1, asked -> near(messages, asked, depth));
    row(account, kind, "lexical", lexical, new JsonObject());
    row(account, kind, "vector", vector, new JsonObject());
    say("%-8s %-7s lexical leg     |%s".formatted(account, name(kind), lexical));
    say("%-8s %-7s vector leg      |%s".formatted(account, name(kind), vector));
  }

  private void recall(String account, Asked.Kind kind, List<Asked> all) throws Exception {
    int depth = RetrievalConfig.DEFAULT.depth();
    double sum = 0;
    int wanted = 0;
    for (Asked asked : all) {
      List<UUID> best = ids(near(exactly, asked, depth).await(1, TimeUnit.MINUTES));
      List<UUID> got = ids(near(messages, asked, depth).await(1, TimeUnit.MINUTES));
      sum += best.stream().filter(got::contains).count();
      wanted += best.size();
    }
    double recall = wanted == 0 ? 1 : sum / wanted;
    row(
        account,
        kind,
        "recall",
        new Spread(0, 0, 0, all.size()),
        new JsonObject().put("at10", recall));
    say("%-8s %-7s recall@10 %.4f".formatted(account, name(kind), recall));
  }

  private static List<UUID> ids(List<SearchHit.Vector> hits) {
    return hits.stream().limit(NEAREST).map(SearchHit.Vector::messageId).toList();
  }

  private static Future<List<SearchHit.Vector>> near(
      SearchRepository from, Asked asked, int limit) {
    return from.vector(
        asked.user(), SearchVector.of(ScaleData.PROFILE, 1, asked.vector()), filters(asked), limit);
  }

  /** As the retriever has them. */
  private static SearchFilters filters(Asked asked) {
    var range = asked.plan().timeRange();
    return new SearchFilters(
        asked.scope().chatIds(),
        asked.scope().chatIds(),
        true,
        range == null ? null : range.start(),
        range == null ? null : range.end());
  }

  private void row(String account, Asked.Kind kind, String what, Spread spread, JsonObject more) {
    rows.add(spread
        .toJson()
        .put("account", account)
        .put("kind", name(kind))
        .put("what", what)
        .mergeIn(more));
  }

  private static String name(Asked.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private void say(String line) {
    table.append(line).append('\n');
    System.out.println(line);
    System.out.flush();
  }

  void close() throws Exception {
    database.close().await(1, TimeUnit.MINUTES);
    vertx.close().await(1, TimeUnit.MINUTES);
  }

  /** The vectors of the questions, known before they are asked. */
  private static final class Vectors implements Embedder {
    final Map<String, float[]> known = new ConcurrentHashMap<>();

    @Override
    public String profileId() {
      return ScaleData.PROFILE;
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public String model() {
      return ScaleData.MODEL;
    }

    @Override
    public int dimensions() {
      return Meaning.DIMENSIONS;
    }

    @Override
    public Future<float[]> query(String question) {
      return Future.succeededFuture(known.get(question));
    }

    @Override
    public Future<List<float[]>> passages(List<String> texts) {
      throw new UnsupportedOperationException("all messages have their vectors");
    }
  }
}
