package dev.askgateway;

import dev.askgateway.answer.AnswerService;
import dev.askgateway.answer.GroundedEngine;
import dev.askgateway.budget.RedisCancelSignals;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.budget.RedisTurnLog;
import dev.askgateway.cli.Server;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.indexing.Indexer;
import dev.askgateway.intake.Health;
import dev.askgateway.intake.IntakeParts;
import dev.askgateway.intake.IntakeVerticle;
import dev.askgateway.intake.ingest.IngestHandler;
import dev.askgateway.provider.ClientLimits;
import dev.askgateway.provider.FailoverGate;
import dev.askgateway.provider.HttpJson;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.UpstreamClient;
import dev.askgateway.provider.extractive.ExtractiveProvider;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.provider.openai.OpenAiProvider;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.IndexRepository;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** The composition root: builds each room and hands it what it needs. */
public final class Gateway implements Server.Running {
  private static final Duration JWKS_TIMEOUT = Duration.ofSeconds(5);
  private static final int JWKS_BYTES = 256 * 1024;
  private static final long REDIS_WATCH_MILLIS = 5_000;

  private final Vertx vertx;
  private final GatewayConfig config;
  private final Rooms rooms;
  private final Telemetry telemetry;
  private final Signals signals;
  private final Database database;
  private final RedisLink redis;
  private final RedisCancelSignals cancels;
  private final UpstreamClient upstream;
  private final OnnxEmbedder embedder;
  private final IndexRepository index;
  private final Indexer indexer;
  private final AnswerService answers;
  private final List<IntakeVerticle> doors = new CopyOnWriteArrayList<>();

  /** Succeeds once requests are taken. The caller owns the Vert.x and closes it. */
  public static Future<Gateway> start(Vertx vertx, Telemetry telemetry, GatewayConfig config) {
    return OnnxEmbedder.load(vertx, new Rooms(config).onnx())
        .compose(embedder -> new Gateway(vertx, telemetry, config, embedder).open());
  }

  private Gateway(Vertx vertx, Telemetry telemetry, GatewayConfig config, OnnxEmbedder embedder) {
    String node = UUID.randomUUID().toString();
    this.vertx = vertx;
    this.config = config;
    this.rooms = new Rooms(config);
    this.telemetry = telemetry;
    this.signals = new Signals(telemetry);
    this.embedder = embedder;
    database = new Database(vertx, config.database().store());
    redis = new RedisLink(vertx, rooms.redis());
    cancels = new RedisCancelSignals(vertx, redis);
    upstream = UpstreamClient.create(vertx, ClientLimits.DEFAULT);
    index = new IndexRepository(
        database,
        new IndexRepository.Profile(
            embedder.profileId(), embedder.version(), embedder.model(), embedder.dimensions()));
    indexer = new Indexer(vertx, node, index, embedder, rooms.indexing(), signals.indexing());
    answers = new AnswerService(
        vertx,
        new TurnRepository(database),
        new RedisTurnLog(redis),
        cancels,
        engine(),
        rooms.answer(),
        signals.answers(),
        Clock.systemUTC(),
        node);
  }

  private GroundedEngine engine() {
    return new GroundedEngine(
        new QueryCompiler(),
        new Retriever(
            new SearchRepository(database, rooms.retrieval().exactBelow()),
            embedder,
            rooms.retrieval()),
        rooms.prompt(),
        new FailoverGate(vertx, rooms.deadlines()),
        List.of(model()),
        rooms.prices());
  }

  private ModelProvider model() {
    return rooms.hasModel()
        ? new OpenAiProvider(upstream, rooms.openai(), rooms.deadlines())
        : new ExtractiveProvider(vertx);
  }

  private Future<Gateway> open() {
    answers.start();
    vertx.setPeriodic(
        REDIS_WATCH_MILLIS,
        tick -> redis.check().onComplete(up -> telemetry.redisDegraded(up.failed())));
    return indexer
        .start()
        .compose(started -> vertx.deployVerticle(
            this::door, new DeploymentOptions().setInstances(rooms.intake().instances())))
        .map(this)
        .recover(failure -> close().transform(closed -> Future.failedFuture(failure)));
  }

  private IntakeVerticle door() {
    IntakeVerticle door = new IntakeVerticle(
        rooms.intake(), rooms.auth(), InstantSource.system(), instance -> parts());
    doors.add(door);
    return door;
  }

  private IntakeParts parts() {
    IngestRepository messages = new IngestRepository(database);
    return new IntakeParts(
        answers,
        new TurnRepository(database),
        new ThreadRepository(database),
        new ChatRepository(database),
        new IngestHandler(messages, rooms.ingest(), indexer::wake),
        user ->
            index.requestReindex(user).onSuccess(queued -> indexer.wake(user)).mapEmpty(),
        rooms.relay(),
        signals.relay(),
        this::jwks,
        Map.of(
            "postgres", new Health.Check(true, database::check),
            "redis", new Health.Check(false, redis::check)),
        telemetry::scrape);
  }

  private Future<JsonObject> jwks() {
    return new HttpJson(upstream).get(config.auth().jwksUrl(), JWKS_TIMEOUT, JWKS_BYTES);
  }

  @Override
  public int port() {
    return doors.isEmpty() ? -1 : doors.get(0).port();
  }

  /** Takes no new requests, lets answers end, then lets go of everything. */
  @Override
  public Future<Void> close() {
    // Both at once: the doors stay open for the answers that run, and for nobody new.
    Future<?> shut = Future.join(doors.stream().map(IntakeVerticle::stop).toList());
    return Future.join(shut, answers.drain(config.http().drainTimeout()))
        .<Void>mapEmpty()
        .eventually(indexer::stop)
        .eventually(() -> {
          cancels.close();
          return redis.close();
        })
        .eventually(upstream::close)
        .eventually(embedder::close)
        .eventually(database::close);
  }
}
