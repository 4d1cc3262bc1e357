package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.CutProxy;
import dev.askgateway.budget.QueryCacheConfig;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.budget.RedisQueryVectors;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryVectors;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.Wait;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.CachedQueries.Look;
import dev.askgateway.store.SearchFilters;
import dev.askgateway.store.SearchFixture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The vector of a question")
class CachedQueriesIT {
  private static final Instant NOW = Instant.parse("2026-09-08T12:00:00Z");
  private static final Duration PATIENT = Duration.ofSeconds(1);
  private static final String SECRET = "a secret of more than thirty-two characters";

  private static Vertx vertx;
  private static SearchFixture data;
  private static RedisLink link;

  private final UserId ana = new UserId("ana-" + UUID.randomUUID());
  private final List<String> embedded = new CopyOnWriteArrayList<>();
  private final List<Look> looks = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    vertx = Vertx.vertx();
    data = SearchFixture.create(vertx);
    link = link(DevServices.shared().redisUrl());
  }

  @AfterAll
  static void stop() throws Exception {
    data.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private static RedisLink link(String url) {
    return new RedisLink(vertx, new RedisConfig(url, Duration.ofSeconds(5), Duration.ofMinutes(5)));
  }

  /** A model that notes what it is asked, of any profile. */
  private final class Noted implements Embedder {
    private final BagOfWords words = new BagOfWords();
    private final String profile;
    private final int version;

    private Noted(String profile, int version) {
      this.profile = profile;
      this.version = version;
    }

    @Override
    public String profileId() {
      return profile;
    }

    @Override
    public int version() {
      return version;
    }

    @Override
    public String model() {
      return words.model();
    }

    @Override
    public int dimensions() {
      return words.dimensions();
    }

    @Override
    public Future<float[]> query(String question) {
      embedded.add(question);
      return words.query(question);
    }

    @Override
    public Future<List<float[]>> passages(List<String> texts) {
      return words.passages(texts);
    }
  }

  private static QueryVectors known(
      RedisLink redis, Duration ttl, Duration timeout, String secret) {
    return new RedisQueryVectors(redis, new QueryCacheConfig(ttl, timeout, secret));
  }

  private static QueryVectors known() {
    return known(link, Duration.ofMinutes(1), PATIENT, SECRET);
  }

  private Embedder embedder(QueryVectors known, UserId user, String profile, int version) {
    return new CachedQueries(new Noted(profile, version), known, user, looks::add);
  }

  private Embedder embedder(UserId user) {
    return embedder(known(), user, "test", 1);
  }

  /** Asks and waits until Redis has the vector, which nobody else waits for. */
  private float[] asked(Embedder embedder, QueryVectors known, UserId user, String question) {
    float[] vector = Wait.onLoop(vertx, () -> embedder.query(question));
    QueryVectors.Key key =
        new QueryVectors.Key(embedder.profileId(), embedder.version(), embedded.get(0));
    while (Wait.onLoop(vertx, () -> known.find(user, key)).isEmpty()) {
      Thread.onSpinWait();
    }
    return vector;
  }

  private static Response redis(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      request.arg(argument.toString());
    }
    return Wait.on(link.send(request));
  }

  private static List<String> keys(UserId user) {
    List<String> keys = new ArrayList<>();
    redis(Command.KEYS, RedisLink.key(user.value(), "query:*"))
        .forEach(key -> keys.add(key.toString()));
    return keys;
  }

  @Test
  @DisplayName("is asked of the model once, and finds the same evidence when it is known")
  void samePack() throws Exception {
    UUID chat = data.chat(ana, "whatsapp", "Ana", false);
    String text = "the pottery workshop starts at nine";
    UUID id = data.message(ana, chat, Instant.parse("2026-09-01T10:01:00Z"), "Ana", text);
    data.vector(ana, id, "test", 1, BagOfWords.of(text));
    String question = "When does the pottery workshop start?";

    EvidencePack first = search(embedder(ana), question);
    asked(embedder(ana), known(), ana, question);
    EvidencePack again = search(embedder(ana), question);

    assertThat(again).isEqualTo(first).isNotEqualTo(EvidencePack.NONE);
    assertThat(looks).startsWith(Look.MISS).endsWith(Look.HIT);
    assertThat(Wait.onLoop(vertx, () -> embedder(ana).query(question)))
        .isEqualTo(BagOfWords.of(question));
  }

  private EvidencePack search(Embedder embedder, String question) throws Exception {
    QueryPlan plan = new QueryCompiler().compile(question, NOW, ZoneId.of("UTC"));
    return new Retriever(
            data.repository(20_000), () -> Optional.of(embedder), RetrievalConfig.DEFAULT)
        .ranked(new Search(
            ana,
            question,
            plan,
            Scope.GLOBAL,
            LexicalQuery.of(question, plan),
            SearchFilters.ALL,
            Search.SPREAD,
            Span.NONE))
        .map(Retrieved::pack)
        .await(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("is known however the same text is written, and by another process with the secret")
  void normalised() {
    asked(embedder(ana), known(), ana, "Qué  caf\u00e9?");
    Wait.onLoop(vertx, () -> embedder(ana).query(" Qué cafe\u0301?\n"));

    assertThat(looks).containsExactly(Look.MISS, Look.HIT);
    assertThat(embedded).containsExactly("Qué caf\u00e9?");
  }

  @Test
  @DisplayName("is not known of another person, profile, version, question, or with another secret")
  void apart() {
    String question = "Who brings the tickets?";
    asked(embedder(ana), known(), ana, question);
    UserId ben = new UserId("ben-" + UUID.randomUUID());
    QueryVectors stranger = known(
        link, Duration.ofMinutes(1), PATIENT, "another secret, which is as long as the first");
    Wait.onLoop(vertx, () -> embedder(ben).query(question));
    Wait.onLoop(vertx, () -> embedder(known(), ana, "other", 1).query(question));
    Wait.onLoop(vertx, () -> embedder(known(), ana, "test", 2).query(question));
    Wait.onLoop(vertx, () -> embedder(ana).query("Who brings the tents?"));
    Wait.onLoop(vertx, () -> embedder(stranger, ana, "test", 1).query(question));
    Wait.onLoop(
        vertx, () -> embedder(known(link, Duration.ofMinutes(1), PATIENT, ""), ana, "test", 1)
            .query(question));

    assertThat(looks).hasSize(7).containsOnly(Look.MISS);
  }

  @Test
  @DisplayName("shows in no key and no value of Redis, and is gone after its time")
  void nothingToRead() {
    String question = "Does zanzibarium smell of quincequartz?";
    asked(embedder(ana), known(), ana, question);

    assertThat(keys(ana)).hasSize(1);
    for (Response key : redis(Command.KEYS, "*")) {
      StringBuilder all = new StringBuilder(key.toString());
      if (redis(Command.TYPE, key).toString().equals("string")) {
        Buffer value = redis(Command.GET, key).toBuffer();
        all.append(value.toString(StandardCharsets.ISO_8859_1));
      }
      assertThat(all.toString().toLowerCase(Locale.ROOT))
          .doesNotContain("zanzibarium", "quincequartz", "smell", ana.value());
    }
    assertThat(redis(Command.PTTL, keys(ana).get(0)).toLong()).isBetween(1L, 60_000L);
    assertThat(redis(Command.STRLEN, keys(ana).get(0)).toLong()).isEqualTo(384 * 4);
  }

  @Test
  @DisplayName("is asked of the model where Redis holds something else under its key")
  void garbage() {
    String question = "What is for lunch?";
    float[] vector = asked(embedder(ana), known(), ana, question);
    for (String garbage : List.of("", "abc", "abcd", "\u00ff".repeat(768))) {
      redis(Command.SET, keys(ana).get(0), garbage);
      assertThat(Wait.onLoop(vertx, () -> embedder(ana).query(question))).isEqualTo(vector);
    }

    assertThat(looks).doesNotContain(Look.HIT);
  }

  @Test
  @DisplayName("is asked of the model where Redis is away, or says nothing for some milliseconds")
  void away() {
    String url = DevServices.shared().redisUrl();
    CutProxy proxy = Wait.on(CutProxy.start(vertx, URI.create(url), "none"));
    QueryVectors through = known(
        link("redis://127.0.0.1:" + proxy.port()),
        Duration.ofMinutes(1),
        Duration.ofMillis(5),
        SECRET);
    Embedder embedder = embedder(through, ana, "test", 1);
    proxy.silence();
    long before = System.nanoTime();
    Wait.onLoop(vertx, () -> embedder.query("One?"));
    proxy.close();
    for (int i = 0; i < 20; i++) {
      Wait.onLoop(vertx, () -> embedder.query("Two?"));
    }

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
    assertThat(looks).hasSize(21).containsOnly(Look.UNAVAILABLE);
    assertThat(embedded).hasSize(21);
  }
}
