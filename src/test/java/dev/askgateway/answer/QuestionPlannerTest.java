package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.rollout.Rollouts;
import dev.askgateway.answer.rollout.Seating;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.QueryCompiler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Who may plan a question")
@ExtendWith(VertxExtension.class)
class QuestionPlannerTest {
  private static final UserId ANA = new UserId("ana");
  private static final String COMPOUND = "When did Ana call, and what did she say?";
  private static final PlannerConfig ON =
      new PlannerConfig(true, 1_000, 100, Duration.ofSeconds(1));

  private static final Engine.Listener UNHEARD = new Engine.Listener() {
    @Override
    public void attempt(String provider, String model) {
      throw new AssertionError("asked");
    }

    @Override
    public void attemptFailed(String provider, String model, GatewayError.Code code, Usage spent) {
      throw new AssertionError("asked");
    }
  };

  private static final Catalogue CATALOGUE = Catalogue.of(
      List.of(
          server("lax", DataPolicy.Mode.MANAGED, DataPolicy.Retention.PROVIDER_POLICY),
          server("strict", DataPolicy.Mode.MANAGED, DataPolicy.Retention.NONE),
          server("here", DataPolicy.Mode.LOCAL, DataPolicy.Retention.NONE)),
      List.of(
          ModelConfig.of("lax", "lax"),
          ModelConfig.of("strict", "strict"),
          ModelConfig.of("here", "here")),
      List.of(
          Profile.of("any", Deadlines.DEFAULT, "lax"),
          new Profile(
              "kept",
              List.of("strict"),
              Profile.Order.PRIORITY,
              Needs.NOTHING,
              new DataPolicy(DataPolicy.Mode.MANAGED, DataPolicy.Retention.NONE, ""),
              1,
              Deadlines.DEFAULT,
              Duration.ZERO,
              0)));

  private static ProviderConfig server(
      String name, DataPolicy.Mode mode, DataPolicy.Retention retention) {
    return new ProviderConfig(
        name,
        Dialect.OPENAI,
        "http://localhost/v1",
        "k",
        ProviderConfig.KeyHeader.BEARER,
        true,
        new DataPolicy(mode, retention, ""),
        0);
  }

  private record Named(String name, String model) implements ModelProvider {
    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("asked");
    }
  }

  private static Plan of(String provider) {
    return Plan.of(Deadlines.DEFAULT, List.of(new Named(provider, provider)));
  }

  /** A token in costs one micro-USD wherever it goes, so that a hold tells the planner's part. */
  private static GroundedEngine engine(
      Vertx vertx, PlannerConfig config, String answering, Future<Plan> planning) {
    PriceBook.Price price = new PriceBook.Price(1_000_000, 0, 0, 0);
    return new GroundedEngine(
        vertx,
        new QueryCompiler(),
        Unsearched.INSTANCE,
        PromptConfig.DEFAULT,
        config,
        new FailoverGate(vertx),
        new Seating(
            (user, name, needs, commit) -> name.equals(PlannerConfig.PROFILE)
                ? planning
                : Future.succeededFuture(of(answering)),
            Rollouts.NONE),
        CATALOGUE,
        PriceBooks.of(new PriceBook(
            "test",
            LocalDate.of(2026, 1, 1),
            Map.of(
                "lax:lax",
                price,
                "strict:strict",
                price,
                "here:here",
                price,
                "byok-openai:byok-openai",
                price))),
        Counting.o200k(vertx));
  }

  private static long held(GroundedEngine engine, String profile, String question) {
    return engine.route(ANA, profile, question).result().worstCaseMicroUsd();
  }

  @ParameterizedTest(name = "a question asked of {0}, answered by {1}: {2} plans it: {3}")
  @DisplayName("is whoever may be told what its own models are told, on the same account")
  @CsvSource({
    "any, lax, lax, true",
    "any, lax, strict, true",
    "kept, strict, strict, true",
    "kept, strict, lax, false",
    "any, lax, here, false",
    "here, here, lax, false",
    "here, here, here, true",
    "any, lax, byok-openai, false",
    "any, byok-openai, lax, false",
    "any, byok-openai, byok-openai, true",
  })
  void policies(String profile, String answering, String planning, boolean may, Vertx vertx) {
    GroundedEngine engine = engine(vertx, ON, answering, Future.succeededFuture(of(planning)));
    long plain = held(
        engine(vertx, PlannerConfig.OFF, answering, Future.succeededFuture(of(planning))),
        profile,
        COMPOUND);

    assertThat(held(engine, profile, COMPOUND)).isEqualTo(plain + (may ? 1_000 : 0));
  }

  @Test
  @DisplayName("is nobody where no model is there, and the tables' plan says so")
  void nobody(Vertx vertx) {
    GroundedEngine engine = engine(
        vertx,
        ON,
        "lax",
        Future.failedFuture(new GatewayError(GatewayError.Code.NO_PROVIDER, "x")));
    Engine.Route route = engine.route(ANA, "any", COMPOUND).result();
    Engine.Planning planning =
        route.plan(Instant.EPOCH, ZoneOffset.UTC, UNHEARD).result();

    assertThat(planning.resolved().result().planner()).isEqualTo(PlannerOutcome.UNAVAILABLE);
    assertThat(planning.call()).isNull();
  }

  @Test
  @DisplayName("is nobody for a question above the cap of its input")
  void tooLong(Vertx vertx) {
    GroundedEngine engine = engine(vertx, ON, "lax", Future.succeededFuture(of("lax")));
    String question = COMPOUND + " " + "boat ".repeat(390);
    Engine.Planning planning = engine
        .route(ANA, "any", question)
        .result()
        .plan(Instant.EPOCH, ZoneOffset.UTC, UNHEARD)
        .await();

    assertThat(planning.resolved().result().planner()).isEqualTo(PlannerOutcome.TOO_LONG);
    assertThat(planning.call()).isNull();
  }

  private static final Instant NOON = Instant.parse("2026-09-08T12:00:00Z");

  @ParameterizedTest
  @ValueSource(ints = {20, 1_900})
  @DisplayName("and tables alone plan a simple question, a long one too, on the asker's loop again")
  void onTheLoop(int padding, Vertx vertx, VertxTestContext test) {
    GroundedEngine engine =
        engine(vertx, PlannerConfig.OFF, "lax", Future.succeededFuture(of("lax")));
    String question = "What did Ana say yesterday? " + "x".repeat(padding);
    Context loop = vertx.getOrCreateContext();
    loop.runOnContext(start -> engine
        .route(ANA, "any", question)
        .compose(route -> route.plan(NOON, ZoneOffset.UTC, UNHEARD))
        .compose(Engine.Planning::resolved)
        .onComplete(test.succeeding(resolved -> test.verify(() -> {
          assertThat(Vertx.currentContext()).isSameAs(loop);
          assertThat(Context.isOnEventLoopThread()).isTrue();
          assertThat(resolved.plan())
              .isEqualTo(new QueryCompiler().compile(question, NOON, ZoneOffset.UTC));
          assertThat(resolved.plan().filtersMessages()).isTrue();
          test.completeNow();
        }))));
  }
}
