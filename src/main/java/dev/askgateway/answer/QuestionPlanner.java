package dev.askgateway.answer;

import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.TokenMeter;
import dev.askgateway.core.UserId;
import dev.askgateway.prompt.PlannerPrompt;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.byok.OwnModels;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.provider.route.TokenMargins;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.Proposal;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.route.TextWork;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compiles questions, and has a model propose what tables cannot represent (spec E13): one call at most
 * for a question, within caps of its own, of models that may be told what the question's own models are
 * told and are paid by the same account. Shared by all loops.
 */
final class QuestionPlanner {
  /** Longest answer that is read, for each token of its cap: one token is seldom so much. */
  private static final int MOST_CHARS_OF_TOKEN = 16;

  private final TextWork texts;
  private final PlannerConfig config;
  private final QueryCompiler compiler;
  private final FailoverGate gate;
  private final Planner models;
  private final Catalogue catalogue;
  private final TokenMargins margins;
  private final Counting counting;

  QuestionPlanner(
      Vertx vertx,
      PlannerConfig config,
      QueryCompiler compiler,
      FailoverGate gate,
      Planner models,
      Catalogue catalogue,
      TokenMargins margins,
      Counting counting) {
    this.texts = new TextWork(vertx);
    this.config = config;
    this.compiler = compiler;
    this.gate = gate;
    this.models = models;
    this.catalogue = catalogue;
    this.margins = margins;
    this.counting = counting;
  }

  /** The further step that planning is permitted to be. */
  Reserve.Step step(Plan seats) {
    return new Reserve.Step(seats, config.inputTokens(), config.outputTokens());
  }

  /**
   * Who may be asked for the plan of a question, once, if it may come to that. Does not fail: who cannot
   * be asked leaves the question to the tables.
   *
   * @param profile the name that the question was asked of
   * @param answering who may answer it
   */
  Future<Optional<Plan>> seats(UserId user, String profile, String question, Plan answering) {
    if (!config.enabled() || !compiler.mayNeedPlanner(question)) {
      return Future.succeededFuture(Optional.empty());
    }
    Needs needs = new Needs(false, true, false, config.inputTokens(), config.outputTokens());
    return models
        .plan(user, PlannerConfig.PROFILE, needs, Plan.Commit.TEXT)
        .map(plan -> mayHear(plan, profile, answering) ? Optional.of(once(plan)) : none())
        .otherwise(refused -> none());
  }

  private static Optional<Plan> none() {
    return Optional.empty();
  }

  /** A request never crosses modes, and no laxer policy stands in for a stricter one (spec D2). */
  private boolean mayHear(Plan planning, String profile, Plan answering) {
    boolean own = answering.candidates().stream().allMatch(QuestionPlanner::isOwn);
    if (own) {
      return planning.candidates().stream().allMatch(QuestionPlanner::isOwn);
    }
    Optional<DataPolicy> wanted = policy(profile);
    return planning.candidates().stream().allMatch(candidate -> {
      ProviderConfig server = catalogue.providers().get(candidate.provider().name());
      return server != null && wanted.isPresent() && server.satisfies(wanted.get());
    });
  }

  private static boolean isOwn(Candidate candidate) {
    return OwnModels.isOwn(candidate.provider().name());
  }

  private Optional<DataPolicy> policy(String name) {
    Profile profile = catalogue.profiles().get(name);
    if (profile != null) {
      return Optional.of(profile.policy());
    }
    ModelConfig model = catalogue.models().get(name);
    return Optional.ofNullable(model).map(catalogue::providerOf).map(ProviderConfig::policy);
  }

  /** One call: no second model after the first, and none beside it. */
  private Plan once(Plan plan) {
    Deadlines own = plan.deadlines();
    Duration total = shorter(own.total());
    Deadlines capped = new Deadlines(
        shorter(own.connect()),
        shorter(own.headers()),
        shorter(own.firstDelta()),
        shorter(own.stall()),
        total);
    return new Plan(
        plan.name(), plan.candidates(), plan.commit(), capped, 1, Duration.ZERO, () -> false);
  }

  private Duration shorter(Duration limit) {
    return limit.compareTo(config.timeout()) < 0 ? limit : config.timeout();
  }

  /**
   * Compiles a question and, where that does not do, has a model asked. On the answer's loop, where the
   * result comes too.
   *
   * @param seats what {@link #seats} gave and money is held for
   */
  Future<Engine.Planning> plan(
      String question, Instant at, ZoneId zone, Optional<Plan> seats, Engine.Listener listener) {
    return compiled(question, at, zone)
        .map(compiled -> plan(compiled, question, at, zone, seats, listener));
  }

  private Future<QueryPlan> compiled(String question, Instant at, ZoneId zone) {
    return texts.of(question.length(), () -> compiler.compile(question, at, zone));
  }

  private Engine.Planning plan(
      QueryPlan compiled,
      String question,
      Instant at,
      ZoneId zone,
      Optional<Plan> seats,
      Engine.Listener listener) {
    if (!config.enabled() || compiled.needsPlanner() == null) {
      return Engine.Planning.of(new Engine.Resolved(compiled, null));
    }
    if (seats.isEmpty()) {
      return Engine.Planning.of(new Engine.Resolved(compiled, PlannerOutcome.UNAVAILABLE));
    }
    Prompt prompt = PlannerPrompt.of(question, at, zone, compiled, config.outputTokens());
    ModelRequest request = request(prompt);
    PlannerCall call = new PlannerCall(
        compiled,
        answer -> compiler.refined(compiled, answer, question, at, zone),
        config.outputTokens() * MOST_CHARS_OF_TOKEN,
        listener);
    tokens(request, margins.of(seats.get())).onComplete(counted -> {
      if (counted.failed() || counted.result() > config.inputTokens()) {
        call.tooLong();
      } else {
        call.start(request, heard -> gate.start(request, seats.get(), heard));
      }
    });
    return call;
  }

  private static ModelRequest request(Prompt prompt) {
    ModelRequest text = ModelRequest.of(prompt);
    return new ModelRequest(
        text.messages(),
        List.of(),
        text.toolChoice(),
        new ModelRequest.Format("query_plan", Proposal.schema(), true),
        text.maxOutputTokens(),
        text.temperature(),
        null,
        List.of(),
        null,
        null);
  }

  /** The schema is read by the model as well. */
  private Future<Long> tokens(ModelRequest request, double margin) {
    List<String> texts = new ArrayList<>();
    request.messages().forEach(message -> texts.add(message.text()));
    texts.add(PlannerCall.schema(request));
    return counting
        .of(texts)
        .map(count -> count.at(margin) + (long) TokenMeter.OF_MESSAGE * texts.size());
  }
}
