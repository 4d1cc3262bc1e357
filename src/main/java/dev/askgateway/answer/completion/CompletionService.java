package dev.askgateway.answer.completion;

import dev.askgateway.answer.Draining;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.ListedModel;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All completions and embeddings of this process. Shared by all event loops. */
public final class CompletionService {
  private final Rooms rooms;
  private final InputEstimate input;
  private final Map<String, Integer> outputTokens = new HashMap<>();
  private final Set<Object> running = ConcurrentHashMap.newKeySet();

  /**
   * What every completion shares.
   *
   * @param replays null where nothing is kept of requests with an idempotency key: a used key is
   *     refused then
   */
  public record Rooms(
      Vertx vertx,
      Models models,
      Planner planner,
      FailoverGate gate,
      PriceBooks prices,
      Counting counting,
      Accounts accounts,
      CompletionListener listener,
      @Nullable Replays replays) {}

  public CompletionService(Rooms rooms) {
    this.rooms = rooms;
    this.input = new InputEstimate(rooms.models().catalogue(), rooms.counting());
    for (ModelConfig model : rooms.models().catalogue().models().values()) {
      outputTokens.merge(
          key(model.provider(), model.model()), model.capabilities().outputTokens(), Math::max);
    }
    rooms.accounts().whenLost(this::lost);
  }

  /** Nobody would pay for what it still writes. */
  private void lost(TurnRepository.Running request) {
    running.forEach(one -> {
      if (one instanceof CompletionRun run && run.is(request.user(), request.requestId())) {
        run.interrupt();
      }
    });
  }

  /** Which models can be asked for. */
  public List<ListedModel> models() {
    return rooms.models().list();
  }

  /**
   * Makes a completion, on the caller's event loop. Whatever comes of it, refusals too, is told to the
   * sink.
   */
  public void complete(CompletionCommand command, CompletionSink sink) {
    CompletionRun[] run = new CompletionRun[1];
    PriceBook prices = rooms.prices().current();
    run[0] = new CompletionRun(rooms, command, prices, sink, () -> {
      running.remove(run[0]);
      command.caller().span().end();
    });
    running.add(run[0]);
    run[0].start(Future.succeededFuture().compose(begins -> planned(command, prices)));
  }

  private Future<CompletionRun.Start> planned(CompletionCommand command, PriceBook prices) {
    return rooms
        .planner()
        .plan(
            command.caller().user(),
            command.model(),
            Needs.of(command.request()),
            Plan.Commit.ANY_OUTPUT)
        .map(plan -> able(plan, command.openAiOnly()))
        .compose(plan ->
            hold(command, plan, prices).map(micros -> new CompletionRun.Start(plan, micros)));
  }

  /** Leaves out who only quotes evidence, of which there is none here, and who cannot be told all. */
  private static Plan able(Plan plan, boolean openAiOnly) {
    List<Candidate> writing = plan.candidates().stream()
        .filter(candidate -> candidate.provider().dialect() != Dialect.EXTRACTIVE)
        .toList();
    if (writing.isEmpty()) {
      throw new GatewayError(Code.NO_PROVIDER, "No model that writes answers is configured.");
    }
    List<Candidate> able = writing.stream()
        .filter(one -> !openAiOnly || one.provider().dialect() == Dialect.OPENAI)
        .toList();
    if (able.isEmpty()) {
      throw GatewayError.invalid(
          "messages", "The request holds what no vendor of this model can be told.");
    }
    return able.size() == plan.candidates().size()
        ? plan
        : new Plan(
            plan.name(),
            able,
            plan.commit(),
            plan.deadlines(),
            plan.attempts(),
            plan.hedgeAfter(),
            plan.mayHedge());
  }

  /** Without accounts nothing is held, and nothing need be counted. */
  private Future<Long> hold(CompletionCommand command, Plan plan, PriceBook prices) {
    if (rooms.accounts() == Accounts.NONE) {
      return Future.succeededFuture(0L);
    }
    Integer asked = command.request().maxOutputTokens();
    long output = asked != null
        ? asked
        : plan.candidates().stream()
            .map(Candidate::provider)
            .mapToInt(one -> outputTokens.getOrDefault(key(one.name(), one.model()), 0))
            .max()
            .orElse(0);
    return input
        .of(command, plan)
        .map(tokens ->
            Models.worstCaseMicroUsd(prices, plan, tokens.text(), tokens.images(), output));
  }

  private static String key(String provider, String model) {
    return provider + ":" + model;
  }

  /**
   * Makes vectors, on the caller's event loop.
   *
   * @param asker hears how far it is
   */
  public Future<EmbeddingRun.Vectors> embed(EmbeddingCommand command, EmbeddingRun.Asker asker) {
    EmbeddingRun run = new EmbeddingRun(rooms, input, command, asker);
    running.add(run);
    return run.start().onComplete(answered -> run.settled().onComplete(done -> {
      running.remove(run);
      command.caller().span().end(answered);
    }));
  }

  /** How many run here. */
  public int running() {
    return running.size();
  }

  /** Lets those that run end by themselves for a while, then interrupts them and settles. */
  public Future<Void> drain(Duration patience) {
    return new Draining(rooms.vertx(), running::isEmpty, this::interrupt).within(patience);
  }

  private void interrupt() {
    running.forEach(one -> {
      if (one instanceof CompletionRun run) {
        run.interrupt();
      } else if (one instanceof EmbeddingRun run) {
        run.interrupt();
      }
    });
  }
}
