package dev.askgateway;

import dev.askgateway.answer.AnswerService;
import dev.askgateway.answer.GroundedEngine;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.UserId;
import dev.askgateway.indexing.Indexer;
import dev.askgateway.intake.AskParts;
import dev.askgateway.intake.ingest.IngestHandler;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.CachedQueries;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.IndexRepository;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Questions over a person's own messages, wired: import, index, retrieval and answers. */
final class AskSurface {
  private final GatewayConfig config;
  private final Signals signals;
  private final Database database;
  private final TurnRepository turns;
  private final Connections connections;
  private final IndexRepository index;
  private final Indexer indexer;
  private final AnswerService answers;

  AskSurface(
      Vertx vertx,
      GatewayConfig config,
      Telemetry telemetry,
      Stores stores,
      TurnRepository turns,
      OnnxEmbedder embedder,
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
    telemetry.embeddingQueues(embedder::queryQueueDepth, embedder::queueDepth);
    index = new IndexRepository(
        database,
        new IndexRepository.Profile(
            embedder.profileId(), embedder.version(), embedder.model(), embedder.dimensions()));
    indexer = new Indexer(vertx, node, index, embedder, config.indexing(), signals.indexing());
    SearchRepository search = new SearchRepository(database, config.retrieval().exactBelow());
    telemetry.exactFallbacks(search::exactFallbacks);
    answers = new AnswerService(
        vertx,
        turns,
        RedisEventLog.ofTurns(stores.redis()),
        stores.cancels(),
        new GroundedEngine(
            new QueryCompiler(),
            retrievers(search, embedder, stores),
            config.prompt(),
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
  private Function<UserId, Retriever> retrievers(
      SearchRepository search, OnnxEmbedder embedder, Stores stores) {
    return stores
        .queryVectors(config.queryCache())
        .<Function<UserId, Retriever>>map(known -> user -> new Retriever(
            search, new CachedQueries(embedder, known, user, signals::looked), config.retrieval()))
        .orElseGet(() -> {
          Retriever one = new Retriever(search, embedder, config.retrieval());
          return user -> one;
        });
  }

  /** @param besides what runs on this node beside answers */
  Future<Void> start(Supplier<List<TurnRepository.Running>> besides) {
    answers.start(besides);
    return indexer.start();
  }

  /** The parts of one door. */
  AskParts parts() {
    IngestRepository messages = new IngestRepository(database);
    return new AskParts(
        answers,
        turns,
        new ThreadRepository(database),
        new ChatRepository(database),
        connections,
        new IngestHandler(messages::write, config.ingest(), indexer::wake, signals.ingest()),
        user ->
            index.requestReindex(user).onSuccess(queued -> indexer.wake(user)).mapEmpty(),
        config.stream(),
        signals.relay());
  }

  Future<Void> drain(Duration patience) {
    return answers.drain(patience);
  }

  Future<Void> stop() {
    return indexer.stop();
  }
}
