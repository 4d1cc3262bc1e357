package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.answer.rollout.Rollouts;
import dev.askgateway.answer.rollout.Seating;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Scope;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelEmbedder;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.route.ContextRouter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The profile of a question")
@ExtendWith(VertxExtension.class)
class GroundedEngineTest {
  private static final UserId ANA = new UserId("ana");
  private static final PriceBooks PRICES =
      PriceBooks.of(new PriceBook("free", LocalDate.of(2026, 1, 1), Map.of()));
  private static final Catalogue CATALOGUE = Catalogue.of(
      List.of(ProviderConfig.of(
          "main", Dialect.OPENAI, "http://localhost/v1", "k", ProviderConfig.KeyHeader.BEARER)),
      List.of(model("m", 100_000, 0), model("small", 3_000, 0), model("vectors", 8_000, 384)),
      List.of(
          Profile.of("assistant_grounded", Deadlines.DEFAULT, "m"),
          Profile.of("assistant_small", Deadlines.DEFAULT, "small"),
          Profile.of("embedding_messages", Deadlines.DEFAULT, "vectors")));

  private static ModelConfig model(String id, int context, int dimensions) {
    Capabilities capabilities =
        new Capabilities(context, 1_000, true, false, false, false, false, dimensions);
    return new ModelConfig(
        id, "main", id, capabilities, ModelConfig.MaxTokensMember.MAX_TOKENS, true);
  }

  /** Nobody is asked here: who may be is all that is looked at. */
  private static final ProviderFactory NOBODY = new ProviderFactory() {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
      return new NeverAsked(model.model());
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
      return new NeverEmbeds(model.model());
    }
  };

  private record NeverAsked(String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public String name() {
      return "main";
    }

    @Override
    public Future<dev.askgateway.core.TokenStream> open(
        dev.askgateway.provider.ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("asked");
    }
  }

  private record NeverEmbeds(String model) implements EmbeddingModel {
    @Override
    public String name() {
      return "main";
    }

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
      throw new AssertionError("asked");
    }
  }

  private static GroundedEngine engine(Vertx vertx, Planner planner) {
    return engine(vertx, planner, PRICES);
  }

  private static GroundedEngine engine(Vertx vertx, Planner planner, PriceBooks prices) {
    return engine(vertx, planner, prices, Unsearched.INSTANCE);
  }

  private static GroundedEngine engine(
      Vertx vertx, Planner planner, PriceBooks prices, Searching searching) {
    return new GroundedEngine(
        vertx,
        new QueryCompiler(),
        searching,
        PromptConfig.DEFAULT,
        PlannerConfig.OFF,
        new FailoverGate(vertx),
        new Seating(planner, Rollouts.NONE),
        CATALOGUE,
        prices,
        Counting.o200k(vertx));
  }

  private static Models models(Vertx vertx) {
    return new Models(CATALOGUE, NOBODY, PRICES, new HealthBook(vertx, HealthListener.NONE));
  }

  private static GatewayError refused(Future<?> route) {
    assertThat(route.cause()).isInstanceOf(GatewayError.class);
    return (GatewayError) route.cause();
  }

  @Test
  @DisplayName("may be any that answers")
  void answers(Vertx vertx) {
    assertThat(
            engine(vertx, models(vertx)).route(ANA, "assistant_grounded", "Q").succeeded())
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "embedding_messages", "vectors"})
  @DisplayName("is refused by its field when nobody answers to that name")
  void unknown(String profile, Vertx vertx) {
    GatewayError refused = refused(engine(vertx, models(vertx)).route(ANA, profile, "Q"));

    assertThat(refused.code()).isEqualTo(Code.INVALID_REQUEST);
    assertThat(refused.field()).isEqualTo("/profile");
  }

  @Test
  @DisplayName("keeps the prices it began with, and others find them by their version")
  void prices(Vertx vertx) {
    String model = "main:grounded";
    PriceBook first = new PriceBook(
        "list", LocalDate.of(2026, 1, 1), Map.of(model, new PriceBook.Price(1_000_000, 0, 0, 0)));
    PriceBook next = new PriceBook(
        "list", LocalDate.of(2026, 1, 2), Map.of(model, new PriceBook.Price(3_000_000, 0, 0, 0)));
    PriceBooks books = PriceBooks.of(first);
    GroundedEngine engine = engine(vertx, models(vertx), books);
    Engine.Route before = engine.route(ANA, "assistant_grounded", "Q").result();
    books.replace(List.of(first, next));
    Engine.Route after = engine.route(ANA, "assistant_grounded", "Q").result();
    Usage usage = new Usage(10, 0, 0, 0, 0, false);

    assertThat(before.priceBook()).isEqualTo(first.version());
    assertThat(before.costMicroUsd("main", "grounded", usage)).isEqualTo(10);
    assertThat(after.priceBook()).isEqualTo(next.version());
    assertThat(after.costMicroUsd("main", "grounded", usage)).isEqualTo(30);
    assertThat(engine.prices(first.version()).costMicroUsd("main", "grounded", usage))
        .isEqualTo(10);
    assertThat(engine.prices("nobody knows it").costMicroUsd("main", "grounded", usage))
        .isEqualTo(30);
  }

  /** Searches nothing, after it has used something for the question's vector. */
  private static final class OnlyEmbeds implements Searching {
    private static final EmbeddingUse USE = new EmbeddingUse(
        "vectors", "main", "vectors", new Usage(9, 0, 0, 0, 0, false), Duration.ZERO);
    private final List<EmbeddingUse> operating = new ArrayList<>();

    @Override
    public Optional<Embedder> embedder() {
      return Optional.of(
          new ModelEmbedder("vectors", 1, new NeverEmbeds("vectors"), 3, Deadlines.DEFAULT));
    }

    @Override
    public ContextRouter of(UserId user, String version, Consumer<EmbeddingUse> used) {
      used.accept(USE);
      throw new IllegalStateException("enough");
    }

    @Override
    public void operating(UserId user, EmbeddingUse use) {
      operating.add(use);
    }
  }

  private record Own(String name, String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<dev.askgateway.core.TokenStream> open(
        dev.askgateway.provider.ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("asked");
    }
  }

  private static List<EmbeddingUse> told(Engine.Route route) {
    List<EmbeddingUse> told = new ArrayList<>();
    Engine.Listener listener = new Engine.Listener() {
      @Override
      public void embedded(EmbeddingUse use) {
        told.add(use);
      }

      @Override
      public void attempt(String provider, String model) {}

      @Override
      public void attemptFailed(String provider, String model, Code code, Usage spent) {}
    };
    assertThatThrownBy(() -> route.retrieve(
            QueryPlan.plain(),
            Instant.EPOCH.atZone(ZoneOffset.UTC),
            Scope.GLOBAL,
            Span.NONE,
            listener))
        .hasMessage("enough");
    return told;
  }

  @Test
  @DisplayName(
      "is held for and billed with its question's vector; of own models that is the operator's")
  void vector(Vertx vertx) {
    PriceBooks dear = PriceBooks.of(new PriceBook(
        "list",
        LocalDate.of(2026, 1, 1),
        Map.of("main:vectors", new PriceBook.Price(0, 0, 0, 0, 0, 2_000_000, 0))));
    OnlyEmbeds searching = new OnlyEmbeds();
    Engine.Route managed = engine(vertx, models(vertx), dear, searching)
        .route(ANA, "assistant_grounded", "Q")
        .result();
    assertThat(managed.worstCaseMicroUsd()).isGreaterThanOrEqualTo(2 * (1 + 16));
    assertThat(managed.embeddingMicroUsd(OnlyEmbeds.USE)).isEqualTo(18);
    assertThat(told(managed)).containsExactly(OnlyEmbeds.USE);
    assertThat(searching.operating).isEmpty();

    Planner own = (user, name, needs, commit) ->
        Future.succeededFuture(Plan.of(Deadlines.DEFAULT, List.of(new Own("byok-openai", "mine"))));
    Engine.Route byKey = engine(vertx, own, dear, searching)
        .route(ANA, "assistant_grounded", "Q")
        .result();
    assertThat(byKey.worstCaseMicroUsd()).isZero();
    assertThat(told(byKey)).isEmpty();
    assertThat(searching.operating).containsExactly(OnlyEmbeds.USE);
  }

  @Test
  @DisplayName("is held for nothing while models are off, and is still checked")
  void off(Vertx vertx) {
    PriceBooks dear = PriceBooks.of(new PriceBook(
        "list",
        LocalDate.of(2026, 1, 1),
        Map.of("main:vectors", new PriceBook.Price(0, 0, 0, 0, 0, 2_000_000, 0))));
    OnlyEmbeds searching = new OnlyEmbeds();
    ModelSwitch models = new ModelSwitch(true, new ExtractiveProvider(vertx));
    GroundedEngine engine = engine(vertx, models.quoting(models(vertx)), dear, searching);

    Engine.Route plain = engine.route(ANA, "assistant_grounded", "Q").result();
    assertThat(plain.isPlain()).isTrue();
    assertThat(plain.worstCaseMicroUsd()).isZero();
    assertThat(told(plain)).as("a vector all the same is the operator's").isEmpty();
    assertThat(searching.operating).containsExactly(OnlyEmbeds.USE);
    assertThat(engine.route(ANA, "assistant_small", "Q").succeeded()).isTrue();
    for (String profile : List.of("nobody", "embedding_messages")) {
      assertThat(refused(engine.route(ANA, profile, "Q")).field()).isEqualTo("/profile");
    }
  }

  @Test
  @DisplayName("is not to blame for a model that is too small, or revoked")
  void otherwise(Vertx vertx) {
    assertThat(refused(engine(vertx, models(vertx)).route(ANA, "assistant_small", "Q"))
            .code())
        .isEqualTo(Code.CONTEXT_TOO_LARGE);
    Planner revoked = (user, name, needs, commit) ->
        Future.failedFuture(new GatewayError(Code.NO_PROVIDER, "It is revoked."));
    assertThat(refused(engine(vertx, revoked).route(ANA, "assistant_grounded", "Q"))
            .code())
        .isEqualTo(Code.NO_PROVIDER);
  }
}
