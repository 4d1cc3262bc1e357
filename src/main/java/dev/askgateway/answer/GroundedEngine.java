package dev.askgateway.answer;

import dev.askgateway.answer.rollout.Rollouts;
import dev.askgateway.answer.rollout.Seating;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TokenMeter;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.prompt.PromptBuilder;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.prompt.PromptInput;
import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.TokenMargins;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.store.Arm;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The grounded profile: the rooms to the right, each asked for its own step. */
public final class GroundedEngine implements Engine {
  private final Searching searching;
  private final PromptBuilder prompts;
  private final PromptConfig limits;
  private final FailoverGate gate;
  private final Seating seating;
  private final Catalogue catalogue;
  private final PriceBooks prices;
  private final TokenMargins margins;
  private final Measures measures;
  private final QuestionPlanner questions;

  /**
   * @param limits bounds of a prompt and its answer, what a hold is computed from
   * @param planning whether a model may be asked for the plan of a question
   * @param seating who may answer, and by which arm of a rollout
   * @param catalogue tells the names that no question can be asked of, and the models' vocabularies
   * @param counting what prompts are measured with
   */
  public GroundedEngine(
      Vertx vertx,
      QueryCompiler compiler,
      Searching searching,
      PromptConfig limits,
      PlannerConfig planning,
      FailoverGate gate,
      Seating seating,
      Catalogue catalogue,
      PriceBooks prices,
      Counting counting) {
    this.searching = searching;
    this.prompts = new PromptBuilder(limits);
    this.limits = limits;
    this.gate = gate;
    this.seating = seating;
    this.catalogue = catalogue;
    this.prices = prices;
    this.margins = new TokenMargins(catalogue);
    this.measures = new Measures(counting);
    this.questions = new QuestionPlanner(
        vertx, planning, compiler, gate, seating.planner(), catalogue, margins, counting);
  }

  @Override
  public Future<Route> route(UserId user, String profile, String question) {
    return measures.of(question).compose(measured -> route(
            user, profile, question, measured, limits.inputTokens())
        .compose(planned -> planned.isPlain() && catalogue.embeds(profile)
            ? Future.<Route>failedFuture(GatewayError.notFound("profile")) // quotes need no model
            : Future.<Route>succeededFuture(planned))
        .recover(refused -> Future.failedFuture(told(profile, refused))));
  }

  /** Asks the plan again where the question needs more room than there is, which not all models have. */
  private Future<Planned> route(
      UserId user, String profile, String question, Measures.Of measured, int inputTokens) {
    Needs needs = new Needs(false, false, false, inputTokens, limits.outputTokens());
    return seating.seat(user, profile, needs).compose(seat -> {
      Plan plan = seat.plan();
      double margin = margins.of(plan);
      int needed = measured.least(margin);
      return needed > inputTokens
          ? route(user, profile, question, measured, needed)
          : questions
              .seats(user, profile, question, plan)
              .map(seats -> new Planned(
                  user, seat, seats, prices.current(), question, measured, margin, inputTokens));
    });
  }

  /** A profile is a field of the question: one that nobody answers is the question's fault. */
  private Throwable told(String profile, Throwable refused) {
    boolean unknown = refused instanceof GatewayError error
        && (error.code() == GatewayError.Code.NOT_FOUND || catalogue.embeds(profile));
    return unknown
        ? GatewayError.invalid("/profile", "There is no profile of that name that answers.")
        : refused;
  }

  /** A book that nobody knows any more must not keep an answer from its end. */
  @Override
  public Bill.Prices prices(String priceBook) {
    return prices.find(priceBook).orElseGet(prices::current)::costMicroUsd;
  }

  private final class Planned implements Route {
    private final UserId user;
    private final Plan plan;
    private final Rollouts.Given given;
    private final Optional<Plan> seats;
    private final PriceBook book;
    private final String question;
    private final Measures.Of measured;
    private final double margin;
    private final int inputTokens;

    private Planned(
        UserId user,
        Seating.Seat seat,
        Optional<Plan> seats,
        PriceBook book,
        String question,
        Measures.Of measured,
        double margin,
        int inputTokens) {
      this.user = user;
      this.plan = seat.plan();
      this.given = seat.given();
      this.seats = seats;
      this.book = book;
      this.question = question;
      this.measured = measured;
      this.margin = margin;
      this.inputTokens = inputTokens;
    }

    @Override
    public String priceBook() {
      return book.version();
    }

    @Override
    public @Nullable Arm arm() {
      return given.arm();
    }

    @Override
    public boolean isPlain() {
      return ModelSwitch.isStandIn(plan);
    }

    @Override
    public long costMicroUsd(String provider, String model, Usage usage) {
      return book.costMicroUsd(provider, model, usage);
    }

    @Override
    public long embeddingMicroUsd(EmbeddingUse use) {
      return book.embeddingMicroUsd(use.provider(), use.model(), use.usage());
    }

    @Override
    public long worstCaseMicroUsd() {
      Reserve.Embedding vector = isOwn() || isPlain()
          ? Reserve.Embedding.NONE
          : searching.embedder().map(this::embedding).orElse(Reserve.Embedding.NONE);
      Reserve.Step answer = new Reserve.Step(plan, inputTokens, limits.outputTokens());
      List<Reserve.Step> further = seats.stream().map(questions::step).toList();
      return new Reserve(book, vector, answer, further).microUsd();
    }

    private Reserve.Embedding embedding(Embedder embedder) {
      double cutsFiner = margins.ofEmbedding(embedder.model());
      long tokens = measured.question().at(cutsFiner) + TokenMeter.OF_MESSAGE;
      return new Reserve.Embedding(embedder.model(), tokens);
    }

    /** A question that the person's own models answer is on no account of theirs here (decision 8). */
    private boolean isOwn() {
      return Seating.isOwn(plan);
    }

    @Override
    public Future<Evidence> retrieve(
        QueryPlan by, ZonedDateTime at, Scope scope, Span span, Listener listener) {
      return searching
          .of(user, given.retrieval(), use -> embedded(use, listener))
          .retrieve(user, question, by, at, scope, span)
          .map(routed -> new Evidence(routed.routing(), routed.found().pack()));
    }

    /** What was not held for is the operator's to pay: no vector that costs is made while models are off. */
    private void embedded(EmbeddingUse use, Listener listener) {
      if (isOwn() || isPlain()) {
        searching.operating(user, use);
      } else {
        listener.embedded(use);
      }
    }

    @Override
    public Future<Planning> plan(Instant at, ZoneId zone, Listener listener) {
      return questions.plan(question, at, zone, seats, listener);
    }

    @Override
    public Future<Prompt> prompt(
        QueryPlan plan, Instant at, ZoneId zone, List<RecentTurn> recent, EvidencePack pack) {
      PromptInput input = new PromptInput(question, plan, at, zone, pack, recent);
      long room = inputTokens - measured.fixed(margin);
      return measures.with(input.chars(), margin, meter -> prompts.build(input, room, meter));
    }

    @Override
    public Generation generate(Prompt prompt, Listener listener) {
      FailoverGate.Run run =
          gate.start(ModelRequest.of(prompt), plan, new Told(listener, listener.counted()));
      return new Generation() {
        @Override
        public Future<Won> won() {
          return run.committed()
              .map(chosen -> new Won(
                  chosen.stream(), chosen.provider().name(), chosen.provider().model()));
        }

        @Override
        public void cancel() {
          run.cancel();
        }
      };
    }
  }

  private record Told(Listener listener, AttemptListener counted) implements AttemptListener {
    @Override
    public void started(Attempt attempt) {
      counted.started(attempt);
      listener.attempt(attempt.provider().name(), attempt.provider().model());
    }

    @Override
    public void firstOutput(Attempt attempt, long nanos) {
      counted.firstOutput(attempt, nanos);
    }

    @Override
    public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
      counted.failed(attempt, error, spent, nanos);
      ModelProvider model = attempt.provider();
      listener.attemptFailed(model.name(), model.model(), error.code(), spent);
    }

    @Override
    public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
      counted.ended(attempt, failure, used, nanos);
    }
  }
}
