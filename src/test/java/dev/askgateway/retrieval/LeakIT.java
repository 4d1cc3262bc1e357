package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.Embedder;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.retrieval.route.ContextRouter;
import dev.askgateway.store.SearchFilters;
import dev.askgateway.store.SearchHit;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.SearchVector;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Random questions over random data, each result held against what is known beside the database.
 * {@code -Dleak.questions=100000} asks as many, {@code -Dleak.seed} makes other data.
 */
class LeakIT {
  private static final int QUESTIONS = Integer.getInteger("leak.questions", 4_000);
  private static final long SEED = Long.getLong("leak.seed", 11);
  /** Asked at once; the data changes only in between, so that what is right is known. */
  private static final int BATCH = 16;

  private static final int DEPTH = 20;

  private static RetrievalFixture fixture;
  private static LeakWorld world;

  private final Random random = new Random(SEED);
  private final Map<String, AtomicLong> seen = new ConcurrentHashMap<>();
  private final Vectors vectors = new Vectors();
  private final SearchRepository exact = fixture.data.repository(Long.MAX_VALUE);
  private final SearchRepository approximate = fixture.data.repository(0);

  @BeforeAll
  static void start() throws Exception {
    fixture = RetrievalFixture.start();
    world = new LeakWorld(fixture.data, SEED);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @Test
  @DisplayName(
      "nothing of another person, out of scope or range, deleted or switched off is ever found")
  void nothingLeaks() throws Exception {
    List<String> leaks = new ArrayList<>();
    for (int asked = 0; asked < QUESTIONS; asked += BATCH) {
      List<Future<List<String>>> batch = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        batch.add(question(asked + i));
      }
      for (Future<List<String>> answer : batch) {
        leaks.addAll(answer.await(1, TimeUnit.MINUTES));
      }
      world.change();
    }

    assertThat(leaks).isEmpty();
    // A search that finds nothing keeps every promise: each way of asking has to have found much.
    assertThat(seen).hasSize(6);
    assertThat(seen.values()).allMatch(found -> found.get() > QUESTIONS / 12);
  }

  private Future<List<String>> question(int number) {
    UserId user = world.persons.get(random.nextInt(world.persons.size()));
    SearchFilters filters = world.filters(user);
    return switch (number % 6) {
      case 0 -> hits("words", user, filters, false, words(user, filters));
      case 1 -> hits("meaning", user, filters, true, exact.vector(user, vector(), filters, DEPTH));
      case 2 ->
        hits("near", user, filters, true, approximate.vector(user, vector(), filters, DEPTH));
      case 3 ->
        hits(
            "time", user, filters, false, exact.recent(user, filters, random.nextBoolean(), DEPTH));
      case 4 ->
        exact
            .neighbourhoods(user, world.someMessages(user, 6), filters, 2, 2, 500)
            .map(found -> judge(
                "windows",
                user,
                filters,
                false,
                found.stream().flatMap(each -> each.messages().stream()).map(EvidenceMessage::id)));
      default -> pack(user);
    };
  }

  private Future<List<SearchHit.Lexical>> words(UserId user, SearchFilters filters) {
    return exact.lexical(
        user, SearchTexts.of(LexicalQuery.of(world.words(), QueryPlan.plain())), filters, DEPTH);
  }

  private SearchVector vector() {
    return SearchVector.of(LeakWorld.PROFILE, 1, world.anyVector());
  }

  private Future<List<String>> hits(
      String way,
      UserId user,
      SearchFilters filters,
      boolean byVector,
      Future<? extends List<? extends SearchHit>> hits) {
    return hits.map(
        found -> judge(way, user, filters, byVector, found.stream().map(SearchHit::messageId)));
  }

  /** The whole way: legs, fusion, windows. */
  private Future<List<String>> pack(UserId user) {
    boolean groups = random.nextBoolean();
    Scope scope = scope(user);
    QueryPlan plan = random.nextBoolean() ? QueryPlan.plain() : between();
    QueryPlan.TimeRange range = plan.timeRange();
    SearchFilters filters = new SearchFilters(
        scope.isStrict() ? scope.chatIds() : List.of(),
        scope.chatIds(),
        groups,
        range == null ? null : range.start(),
        range == null ? null : range.end());
    ContextRouter router = RetrievalFixture.router(
        fixture.vertx,
        fixture.data.database,
        random.nextBoolean() ? exact : approximate,
        vectors,
        // A slow machine is no leak.
        RetrievalFixture.like(RetrievalConfig.DEFAULT, groups, Duration.ofMinutes(1)));
    // Of what was said, so that a range bounds the messages and never gives way.
    String question = "what did we say about " + world.words();
    return router
        .retrieve(user, question, plan, Instant.now().atZone(ZoneOffset.UTC), scope, Span.NONE)
        .map(routed -> routed.found().pack())
        .map(pack -> judge(
            "packs",
            user,
            filters,
            false,
            pack.windows().stream()
                .flatMap(window -> window.messages().stream())
                .map(EvidenceMessage::id)));
  }

  private Scope scope(UserId user) {
    return switch (random.nextInt(3)) {
      case 0 -> Scope.GLOBAL;
      case 1 -> Scope.preferred(world.someChats(user, 1 + random.nextInt(3)));
      default -> Scope.strict(world.someChats(user, 1).get(0));
    };
  }

  private QueryPlan between() {
    Instant start = world.anyTime();
    return new QueryPlan(
        QueryPlan.Intent.CONVERSATION_QA,
        new QueryPlan.TimeRange(
            start, start.plusSeconds(86_400L * (1 + random.nextInt(60))), ZoneOffset.UTC),
        true,
        List.of(),
        null,
        List.of(),
        null,
        null);
  }

  private List<String> judge(
      String way, UserId user, SearchFilters filters, boolean byVector, Stream<UUID> found) {
    List<UUID> ids = found.toList();
    seen.computeIfAbsent(way, key -> new AtomicLong()).addAndGet(ids.size());
    return world.leaked(user, filters, ids, byVector).stream()
        .map(id -> way + " showed " + id + " to " + user.value() + " with " + filters)
        .toList();
  }

  /** Every question means what many messages of many persons mean. */
  private final class Vectors implements Embedder {
    @Override
    public String profileId() {
      return LeakWorld.PROFILE;
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public String model() {
      return "test:leak";
    }

    @Override
    public int dimensions() {
      return 384;
    }

    @Override
    public Future<float[]> query(String question) {
      return Future.succeededFuture(world.anyVector());
    }

    @Override
    public Future<List<float[]>> passages(List<String> texts) {
      throw new UnsupportedOperationException("all messages have their vectors");
    }
  }
}
