package dev.askgateway;

import dev.askgateway.answer.AnswerService;
import dev.askgateway.answer.GroundedEngine;
import dev.askgateway.answer.Searching;
import dev.askgateway.answer.rollout.Seating;
import dev.askgateway.budget.OperatingCosts;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.QueryVectors;
import dev.askgateway.core.UserId;
import dev.askgateway.indexing.Indexers;
import dev.askgateway.indexing.VersionWatch;
import dev.askgateway.intake.AskParts;
import dev.askgateway.intake.ingest.IngestHandler;
import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.ModelEmbedder;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.retrieval.CachedQueries;
import dev.askgateway.retrieval.OneQuestion;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.route.ContextRouter;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.NameRepository;
import dev.askgateway.store.OperatingRepository;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.store.VersionRepository;
import dev.askgateway.telemetry.ModelMeters;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Questions over a person's own messages, wired: import, index, retrieval and answers. */
final class AskSurface {
  private final GatewayConfig config;
  private final Signals signals;
  private final Database database;
  private final TurnRepository turns;
  private final Connections connections;
  private final ChatRepository chats;
  private final Indexers indexers;
  private final AnswerService answers;

  AskSurface(
      Vertx vertx,
      GatewayConfig config,
      Telemetry telemetry,
      Stores stores,
      TurnRepository turns,
      List<ModelEmbedder> embedders,
      Connections connections,
      Seating seating,
      PriceBooks prices,
      Counting counting,
      String node) {
    this.config = config;
    this.signals = new Signals(telemetry);
    this.database = stores.database();
    this.turns = turns;
    this.connections = connections;
    this.chats = new ChatRepository(database);
    VersionWatch versions = new VersionWatch(
        vertx,
        node,
        new VersionRepository(database),
        embedders,
        config.indexing().versionInterval());
    OperatingCosts costs = new OperatingCosts(prices, new OperatingRepository(database));
    indexers =
        new Indexers(vertx, node, database, versions, config.indexing(), signals.indexing(costs));
    SearchRepository search = new SearchRepository(database, config.retrieval().exactBelow());
    telemetry.exactFallbacks(search::exactFallbacks);
    answers = new AnswerService(
        vertx,
        turns,
        RedisEventLog.ofTurns(stores.redis()),
        stores.cancels(),
        new GroundedEngine(
            vertx,
            new QueryCompiler(),
            searching(vertx, search, versions, stores, costs),
            config.prompt(),
            config.planner(),
            new FailoverGate(vertx),
            seating,
            config.models().catalogue(),
            prices,
            counting),
        config.answer(),
        signals.answers(),
        Clock.systemUTC(),
        node);
  }

  private Searching searching(
      Vertx vertx,
      SearchRepository search,
      VersionWatch versions,
      Stores stores,
      OperatingCosts costs) {
    NameRepository names = new NameRepository(database);
    ContextRepository context = new ContextRepository(database);
    Optional<QueryVectors> known = stores.queryVectors(config.queryCache());
    return new Searching() {
      @Override
      public Optional<Embedder> embedder() {
        return versions.searched();
      }

      @Override
      public ContextRouter of(UserId user, @Nullable String version, Consumer<EmbeddingUse> used) {
        RetrievalConfig constants = config.retrieval(version);
        Retriever retriever = new Retriever(
            search,
            new OneQuestion(() -> embedder().map(model -> remembered(model, user)), used),
            constants);
        return new ContextRouter(vertx, names, context, retriever, constants);
      }

      /** Where vectors of a person's questions are kept for a while, they are looked for first. */
      private Embedder remembered(Embedder model, UserId user) {
        return known
            .<Embedder>map(kept -> new CachedQueries(model, kept, user, signals::looked))
            .orElse(model);
      }

      @Override
      public void operating(UserId user, EmbeddingUse use) {
        long microUsd = costs.note(user, OperatingCosts.Feature.ASSISTANT, use);
        signals.embedded(ModelMeters.Embedded.QUESTION, use, microUsd);
      }
    };
  }

  /** @param besides what runs on this node beside answers */
  Future<Void> start(Supplier<List<TurnRepository.Running>> besides) {
    answers.start(besides);
    return indexers.start();
  }

  /** The parts of one door. */
  AskParts parts(RelayListener streams) {
    IngestRepository messages = new IngestRepository(database);
    return new AskParts(
        answers,
        turns,
        new ThreadRepository(database),
        chats,
        connections,
        new IngestHandler(messages::write, config.ingest(), indexers::wake, signals.ingest()),
        user ->
            chats.requestReindex(user).onSuccess(queued -> indexers.wake(user)).mapEmpty(),
        config.stream(),
        streams);
  }

  /** Works for nobody but who is being answered: whom it indexed and swept for is given back. */
  Future<Void> stopBackground() {
    return Future.join(indexers.giveBack(), answers.stopSweeping()).mapEmpty();
  }

  /** How many answers run here. */
  int running() {
    return answers.running();
  }

  Future<Void> drain(Duration patience) {
    return answers.drain(patience);
  }

  Future<Void> stop() {
    return indexers.stop();
  }
}
