package dev.askgateway;

import dev.askgateway.answer.AnswerService;
import dev.askgateway.answer.GroundedEngine;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.UserId;
import dev.askgateway.indexing.Indexers;
import dev.askgateway.indexing.VersionWatch;
import dev.askgateway.intake.AskParts;
import dev.askgateway.intake.ingest.IngestHandler;
import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.ModelEmbedder;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.retrieval.CachedQueries;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.route.ContextRouter;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.NameRepository;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.store.VersionRepository;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

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
      Planner planner,
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
    indexers = new Indexers(vertx, node, database, versions, config.indexing(), signals.indexing());
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
            routers(search, versions, stores),
            config.prompt(),
            config.planner(),
            new FailoverGate(vertx),
            planner,
            config.models().catalogue(),
            prices,
            counting),
        config.answer(),
        signals.answers(),
        Clock.systemUTC(),
        node);
  }

  /** Of each person one, where their questions are remembered; else one of all. */
  private Function<UserId, ContextRouter> routers(
      SearchRepository search, VersionWatch versions, Stores stores) {
    NameRepository names = new NameRepository(database);
    ContextRepository context = new ContextRepository(database);
    Function<Supplier<Optional<Embedder>>, ContextRouter> router = searched -> new ContextRouter(
        names, context, new Retriever(search, searched, config.retrieval()), config.retrieval());
    return stores
        .queryVectors(config.queryCache())
        .<Function<UserId, ContextRouter>>map(known -> user -> router.apply(() -> versions
            .searched()
            .map(model -> new CachedQueries(model, known, user, signals::looked))))
        .orElseGet(() -> {
          ContextRouter one = router.apply(versions::searched);
          return user -> one;
        });
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
