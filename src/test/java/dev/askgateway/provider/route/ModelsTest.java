package dev.askgateway.provider.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.DataPolicy.Mode;
import dev.askgateway.provider.DataPolicy.Retention;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelConfig.MaxTokensMember;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.Profile.Order;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ModelsTest {
  private static final PriceBook PRICES = new PriceBook(
      "test",
      LocalDate.of(2026, 1, 1),
      Map.of(
          "main:able-1", new PriceBook.Price(300, 0, 0, 1_200),
          "main:plain-1", new PriceBook.Price(100, 0, 0, 9_000_000),
          "strict:eu-1", new PriceBook.Price(200, 0, 0, 1_200)));

  private static final DataPolicy MANAGED =
      new DataPolicy(Mode.MANAGED, Retention.PROVIDER_POLICY, "");
  private static final Capabilities PLAIN = Capabilities.TEXT;
  private static final Capabilities ABLE =
      new Capabilities(8_000, 1_000, true, true, true, true, false, 0);
  private static final Capabilities VECTORS =
      new Capabilities(8_000, 1, false, false, false, true, false, 384);
  private static final Needs TOOLS = new Needs(true, false, false, 10, 10);

  private final AtomicLong clock = new AtomicLong();
  private HealthBook health;
  private Models models;

  @BeforeEach
  void build(Vertx vertx) {
    health = new HealthBook(vertx, HealthRules.DEFAULT, clock::get, HealthListener.NONE);
    List<ProviderConfig> providers = List.of(
        provider("main", MANAGED),
        provider("strict", new DataPolicy(Mode.MANAGED, Retention.NONE, "eu")),
        provider("own", new DataPolicy(Mode.BYOK, Retention.NONE, "eu")));
    List<ModelConfig> configs = List.of(
        model("plain", "main", PLAIN),
        model("able", "main", ABLE),
        model("eu", "strict", ABLE),
        model("mine", "own", ABLE),
        model("vectors", "main", VECTORS));
    DataPolicy european = new DataPolicy(Mode.MANAGED, Retention.TRANSIENT, "eu");
    List<Profile> profiles = List.of(
        profile("listed", Order.PRIORITY, MANAGED, "able", "plain", "eu"),
        profile("cheap", Order.PRICE, MANAGED, "able", "plain", "eu"),
        profile("fast", Order.LATENCY, MANAGED, "plain", "able", "eu"),
        profile("private", Order.PRIORITY, european, "eu"),
        profile("embed", Order.PRIORITY, MANAGED, "vectors"));
    models = new Models(
        Catalogue.of(providers, configs, profiles),
        new Named(),
        PriceBooks.of(PRICES),
        health,
        new Random(5));
  }

  private static ProviderConfig provider(String name, DataPolicy policy) {
    return new ProviderConfig(
        name,
        Dialect.OPENAI,
        "http://localhost",
        "",
        ProviderConfig.KeyHeader.BEARER,
        true,
        policy,
        0);
  }

  private static ModelConfig model(String id, String provider, Capabilities capabilities) {
    return new ModelConfig(id, provider, id + "-1", capabilities, MaxTokensMember.MAX_TOKENS, true);
  }

  private static Profile profile(String name, Order order, DataPolicy policy, String... ids) {
    return new Profile(
        name,
        List.of(ids),
        order,
        Needs.NOTHING,
        policy,
        4,
        Deadlines.DEFAULT,
        order == Order.PRICE ? Duration.ofSeconds(1) : Duration.ZERO,
        0.05);
  }

  private List<String> ids(String name, Needs needs) {
    return models.plan(name, needs, Plan.Commit.TEXT).candidates().stream()
        .map(candidate -> ((Served) candidate).config().id())
        .toList();
  }

  private Code refusal(String name, Needs needs) {
    try {
      models.plan(name, needs, Plan.Commit.TEXT);
      throw new AssertionError("there is a plan");
    } catch (GatewayError error) {
      return error.code();
    }
  }

  @Test
  @DisplayName("a profile's models come as listed")
  void priority() {
    assertThat(ids("listed", Needs.NOTHING)).containsExactly("able", "plain", "eu");
    assertThat(ids("private", Needs.NOTHING)).containsExactly("eu");
  }

  @Test
  @DisplayName("only models that can do all a request needs are asked, and only where it fits")
  void capabilities() {
    assertThat(ids("listed", TOOLS)).containsExactly("able", "eu");
    assertThat(ids("listed", new Needs(false, false, false, 20_000, 100))).containsExactly("plain");
    assertThat(refusal("listed", new Needs(true, false, false, 20_000, 100)))
        .isEqualTo(Code.CONTEXT_TOO_LARGE);
    assertThat(refusal("listed", new Needs(false, false, false, 10, 50_000)))
        .isEqualTo(Code.CONTEXT_TOO_LARGE);
    assertThat(refusal("plain", TOOLS)).isEqualTo(Code.NO_PROVIDER);
    assertThat(refusal("vectors", Needs.NOTHING)).isEqualTo(Code.NO_PROVIDER);
    assertThat(refusal("embed", Needs.NOTHING)).isEqualTo(Code.NO_PROVIDER);
    assertThatThrownBy(() -> models.plan("nobody", Needs.NOTHING, Plan.Commit.TEXT))
        .isInstanceOfSatisfying(
            GatewayError.class, error -> assertThat(error.code()).isEqualTo(Code.NOT_FOUND));
  }

  @Test
  @DisplayName("a model may be asked for by its id, under its own policy, twice at most")
  void byId() {
    Plan plan = models.plan("mine", Needs.NOTHING, Plan.Commit.ANY_OUTPUT);
    assertThat(ids("mine", Needs.NOTHING)).containsExactly("mine");
    assertThat(plan.attempts()).isEqualTo(2);
    assertThat(plan.deadlines()).isEqualTo(Deadlines.DEFAULT);
    assertThat(plan.commit()).isEqualTo(Plan.Commit.ANY_OUTPUT);
    assertThat(plan.parallel()).isEqualTo(1);
  }

  @Test
  @DisplayName("by price the cheapest for this request comes first, small ones told apart")
  void price() {
    assertThat(ids("cheap", new Needs(false, false, false, 4, 1)))
        .containsExactly("eu", "able", "plain");
    assertThat(ids("cheap", new Needs(false, false, false, 5_000, 0)))
        .containsExactly("eu", "able", "plain");
  }

  @Test
  @DisplayName("the worst case is the dearest model, and the next dearest beside it when hedged")
  void worstCase() {
    Plan single = models.plan("listed", Needs.NOTHING, Plan.Commit.TEXT);
    assertThat(Models.worstCaseMicroUsd(PRICES, single, 1_000_000, 1_000_000)).isEqualTo(9_000_100);
    Plan hedged = models.plan("cheap", Needs.NOTHING, Plan.Commit.TEXT);
    assertThat(hedged.parallel()).isEqualTo(2);
    assertThat(Models.worstCaseMicroUsd(PRICES, hedged, 1_000_000, 1_000_000))
        .isEqualTo(9_000_100 + 1_500);
  }

  @Test
  @DisplayName("by latency the better of two drawn comes first: the slowest never, load spread")
  void latency() {
    measured("plain", 900);
    measured("able", 100);
    measured("eu", 150);
    Map<String, Integer> firsts = new HashMap<>();
    for (int i = 0; i < 3_000; i++) {
      List<String> ordered = ids("fast", Needs.NOTHING);
      firsts.merge(ordered.get(0), 1, Integer::sum);
      assertThat(ordered).containsExactlyInAnyOrder("plain", "able", "eu");
    }
    // Of three the best is in two draws of three, the second is better in the third.
    assertThat(firsts).containsOnlyKeys("able", "eu");
    assertThat(firsts.get("able")).isBetween(1_850, 2_150);
  }

  @Test
  @DisplayName(
      "a busy model loses to an idle one, a model never measured is tried, one down is last")
  void latencyUnderLoad() {
    measured("plain", 100);
    measured("able", 100);
    candidate("able").admit();
    for (int i = 0; i < 200; i++) {
      List<String> ordered = ids("fast", Needs.NOTHING);
      assertThat(ordered.indexOf("able")).isNotZero();
    }
    assertThat(ids("fast", Needs.NOTHING)).contains("eu");
    assertThat(firstOf("eu")).as("drawn in two of three").isBetween(100, 165);
    candidate("eu").admit().failed(ProviderFailure.error(Kind.ACCOUNT, "test"));
    for (int i = 0; i < 200; i++) {
      assertThat(ids("fast", Needs.NOTHING)).containsExactly("plain", "able", "eu");
    }
  }

  private int firstOf(String id) {
    int count = 0;
    for (int i = 0; i < 200; i++) {
      count += ids("fast", Needs.NOTHING).get(0).equals(id) ? 1 : 0;
    }
    return count;
  }

  private Candidate candidate(String id) {
    return models.plan(id, Needs.NOTHING, Plan.Commit.TEXT).candidates().get(0);
  }

  private void measured(String id, long millis) {
    Candidate.Permit permit = candidate(id).admit();
    permit.firstOutput(Duration.ofMillis(millis).toNanos());
    permit.succeeded();
  }

  @Test
  @DisplayName("all names are listed, a profile with what some model of it can do")
  void list() {
    assertThat(models.list())
        .extracting(ListedModel::name)
        .containsExactly(
            "listed", "cheap", "fast", "private", "embed", "plain", "able", "eu", "mine",
            "vectors");
    ListedModel listed = models.list().get(0);
    assertThat(listed.provider()).isEmpty();
    assertThat(listed.capabilities())
        .isEqualTo(new Capabilities(128_000, 4_096, true, true, true, true, false, 0));
    assertThat(models.list().get(7).provider()).isEqualTo("strict");
  }

  @Test
  @DisplayName("an embedding model is found by its id and by a profile of such models")
  void embedding() {
    assertThat(models.embedding("vectors")).isPresent();
    assertThat(models.embedding("embed")).isEqualTo(models.embedding("vectors"));
    assertThat(models.embedding("listed")).isEmpty();
    assertThat(models.embedding("nobody")).isEmpty();
  }

  /** Makes models that are only asked for their names. */
  private static final class Named implements ProviderFactory {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
      return new Answering(provider.name(), model.model());
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
      return new Embedding(provider.name(), model.model());
    }
  }

  private record Answering(String name, String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      return Future.failedFuture(ProviderFailure.error(Kind.UNAVAILABLE, "test"));
    }
  }

  private record Embedding(String name, String model) implements EmbeddingModel {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public int mostTexts() {
      return 1;
    }

    @Override
    public Future<Embeddings> embed(Request request, Deadlines deadlines) {
      return Future.failedFuture(ProviderFailure.error(Kind.UNAVAILABLE, "test"));
    }
  }
}
