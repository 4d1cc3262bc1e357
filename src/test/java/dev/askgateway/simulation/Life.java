package dev.askgateway.simulation;

import dev.askgateway.answer.AnswerConfig;
import dev.askgateway.answer.AnswerService;
import dev.askgateway.answer.SilentListener;
import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.answer.completion.Replays;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.CancelSignals;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.gate.Backoff;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.Models;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.SimulatedDatabase;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node from its start to its death: the gateway's own services of answers, completions and embeddings with
 * all that is below them, over simulated time, messages, models and logs and the one real database.
 */
final class Life {
  static final int MOST_OUTPUT_TOKENS = 60;
  static final String PROFILE = "simulated";
  static final String VECTORS = "v";
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Deadlines DEADLINES = new Deadlines(
      Duration.ofSeconds(3),
      Duration.ofSeconds(15),
      Duration.ofSeconds(4),
      Duration.ofSeconds(5),
      Duration.ofSeconds(20));
  private static final AnswerConfig ANSWERS = new AnswerConfig(
      LEASE, Duration.ofSeconds(7), Duration.ofSeconds(5), 20_000, 6, AnswerConfig.Reveal.CITED);
  private static final BudgetPolicy POLICY = new BudgetPolicy(null, null, null, 20);
  private static final int ATTEMPTS = 4;
  private static final Duration HEDGE_AFTER = Duration.ofMillis(1_500);

  private final World world;
  private final String name;
  private final Set<Client.Reading> readers = new LinkedHashSet<>();
  private final Accounts accounts;
  final CompletionService completions;
  final AnswerService answers;
  private final Runnable crash;
  private boolean over;

  /** @param crash ends this life */
  Life(World world, String name, Runnable crash) {
    this.world = world;
    this.name = name;
    this.crash = crash;
    Vertx vertx = SimulatedVertx.of(world.schedule, () -> !over);
    TurnRepository turns = new TurnRepository(
        SimulatedDatabase.of(vertx, SimulatedPool.of(this::execute)), POLICY, world.copy);
    FailoverGate gate = new FailoverGate(vertx, backoff(), world.schedule::nanos);
    accounts = Plants.in(world, Accounts.ledger(vertx, turns, name, LEASE, world.schedule::nanos));
    PriceBooks prices = PriceBooks.of(Upstream.BOOK);
    completions = new CompletionService(new CompletionService.Rooms(
        vertx,
        new Models(catalogue(), new Factory(), prices, new HealthBook(vertx, HealthListener.NONE)),
        (user, model, needs, commit) -> Future.succeededFuture(plan(commit)),
        gate,
        prices,
        world.counting(),
        accounts,
        new SilentListener(),
        new Replays(vertx, world.logs, turns)));
    answers = new AnswerService(
        vertx,
        turns,
        Logs.NONE_OF_TURNS,
        new NoSignals(),
        new PlainEngine(this, gate),
        ANSWERS,
        new SilentListener(),
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        name,
        world.schedule::nanos);
    answers.start(accounts::running);
  }

  private Backoff backoff() {
    Backoff usual = Backoff.DEFAULT;
    return new Backoff(usual.base(), usual.most(), usual.mostAsked(), world.schedule::anyLong);
  }

  private static Catalogue catalogue() {
    return Catalogue.of(
        Stream.concat(Upstream.MODELS.stream(), Stream.of("vectors"))
            .map(provider -> ProviderConfig.of(
                provider,
                Dialect.OPENAI,
                "http://localhost/v1",
                "k",
                ProviderConfig.KeyHeader.BEARER))
            .toList(),
        List.of(
            ModelConfig.of("main", "m"),
            new ModelConfig(
                VECTORS,
                "vectors",
                VECTORS,
                new Capabilities(8_000, 1, false, false, false, false, false, 1),
                ModelConfig.MaxTokensMember.MAX_TOKENS,
                false)),
        List.of(Profile.of(PROFILE, DEADLINES, "m")));
  }

  private final class Factory implements ProviderFactory {
    @Override
    public ModelProvider answering(ProviderConfig provider, ModelConfig model) {
      return world.upstream.model(provider.name(), Life.this);
    }

    @Override
    public EmbeddingModel embedding(ProviderConfig provider, ModelConfig model) {
      return world.upstream.vectors(Life.this);
    }
  }

  /** Stops go by the database alone. */
  private static final class NoSignals implements CancelSignals {
    @Override
    public Future<Void> send(UserId user, UUID requestId) {
      return Future.succeededFuture();
    }

    @Override
    public void listen(BiConsumer<UserId, UUID> handler) {
      // nothing comes
    }
  }

  /** All models in their order; of half of the requests a second one is asked beside a slow one. */
  Plan plan(Plan.Commit commit) {
    return new Plan(
        PROFILE,
        Upstream.MODELS.stream()
            .map(model -> Candidate.of(world.upstream.model(model, this)))
            .toList(),
        commit,
        DEADLINES,
        ATTEMPTS,
        world.schedule.between(0, 1) == 0 ? Duration.ZERO : HEDGE_AFTER,
        () -> true);
  }

  String name() {
    return name;
  }

  boolean isOver() {
    return over;
  }

  boolean isIdle() {
    return completions.running() == 0 && answers.running() == 0;
  }

  /** Perhaps it dies at this point of a request. */
  void mayCrash(Fault point) {
    if (!over && world.schedule.strikes(point)) {
      world.schedule.in(world.schedule.between(0, 2), crash);
    }
  }

  void end() {
    over = true;
    List.copyOf(readers).forEach(Client.Reading::lost);
  }

  void add(Client.Reading reader) {
    readers.add(reader);
  }

  void remove(Client.Reading reader) {
    readers.remove(reader);
  }

  private Future<RowSet<Row>> execute(String sql, Tuple arguments, @Nullable String person) {
    Promise<RowSet<Row>> promise = Promise.promise();
    if (over) {
      return promise.future();
    }
    if (LeaseBook.begins(sql)) {
      mayCrash(Fault.CRASH_BEGINNING);
    } else if (LeaseBook.ends(sql)) {
      mayCrash(Fault.CRASH_ENDING);
    }
    world.database(this, sql, arguments, person, promise);
    if (world.flaw == Flaw.ENDS_AGAIN_UNDER_A_NEW_ID && sql.contains("finish_all(")) {
      promise.future().onFailure(away -> Plants.endAgain(world, accounts, arguments));
    }
    return promise.future();
  }
}
