package dev.askgateway;

import dev.askgateway.answer.AnswerService;
import dev.askgateway.answer.GroundedEngine;
import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.budget.RedisCancelSignals;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.budget.RedisTurnLog;
import dev.askgateway.cli.Server;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.indexing.Indexer;
import dev.askgateway.intake.Health;
import dev.askgateway.intake.IntakeParts;
import dev.askgateway.intake.IntakeVerticle;
import dev.askgateway.intake.Surface;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.ingest.IngestHandler;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.byok.ByokConfig;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.http.HttpJson;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.Models;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.IndexRepository;
import dev.askgateway.store.IngestRepository;
import dev.askgateway.store.Migrations;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root: builds each room and hands it what it needs. */
public final class Gateway implements Server.Running {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final Duration JWKS_TIMEOUT = Duration.ofSeconds(5);
  private static final int JWKS_BYTES = 256 * 1024;
  private static final long DATABASE_PATIENCE_MILLIS = 3_000;
  private static final long LET_GO_MILLIS = 1_000;
  private static final long REDIS_WATCH_MILLIS = 5_000;

  private final Vertx vertx;
  private final GatewayConfig config;
  private final Telemetry telemetry;
  private final Signals signals;
  private final Database database;
  private final int schema;
  private final RedisLink redis;
  private final RedisCancelSignals cancels;
  private final UpstreamClient upstream;
  private final OwnKeys ownKeys;
  private final OnnxEmbedder embedder;
  private final IndexRepository index;
  private final Indexer indexer;
  private final AnswerService answers;
  private final CompletionService completions;
  private final List<IntakeVerticle> doors = new CopyOnWriteArrayList<>();

  /** Succeeds once requests are taken. The caller owns the Vert.x and closes it. */
  public static Future<Gateway> start(Vertx vertx, Telemetry telemetry, GatewayConfig config) {
    int schema = Migrations.newest();
    return OnnxEmbedder.load(vertx, config.embedding())
        .compose(embedder -> new Gateway(vertx, telemetry, config, embedder, schema).open());
  }

  private Gateway(
      Vertx vertx, Telemetry telemetry, GatewayConfig config, OnnxEmbedder embedder, int schema) {
    String node = UUID.randomUUID().toString();
    this.vertx = vertx;
    this.config = config;
    this.telemetry = telemetry;
    this.signals = new Signals(telemetry);
    this.embedder = embedder;
    this.schema = schema;
    database = new Database(vertx, config.database().orElseThrow().store());
    redis = new RedisLink(vertx, config.redis().orElseThrow());
    cancels = new RedisCancelSignals(vertx, redis);
    telemetry.embeddingQueues(embedder::queryQueueDepth, embedder::queueDepth);
    upstream = UpstreamClient.create(vertx, config.upstream());
    ownKeys =
        OwnKeys.of(vertx, ByokConfig.DISABLED, database, config.upstream(), Deadlines.DEFAULT);
    index = new IndexRepository(
        database,
        new IndexRepository.Profile(
            embedder.profileId(), embedder.version(), embedder.model(), embedder.dimensions()));
    indexer = new Indexer(vertx, node, index, embedder, config.indexing(), signals.indexing());
    Models models = new Models(
        config.models().catalogue(),
        new Dialects(vertx, upstream),
        config.models().prices());
    TurnRepository turns = new TurnRepository(database);
    answers = new AnswerService(
        vertx,
        turns,
        new RedisTurnLog(redis),
        cancels,
        engine(models),
        config.answer(),
        signals.answers(),
        Clock.systemUTC(),
        node);
    completions = new CompletionService(new CompletionService.Rooms(
        vertx,
        models,
        new FailoverGate(vertx),
        config.models().prices(),
        edge().accounting() == EdgeConfig.Accounting.NONE
            ? Accounts.NONE
            : Accounts.ledger(vertx, turns, node, config.models().prices().version()),
        signals.answers()));
  }

  private static EdgeConfig edge() {
    return EdgeConfig.DEFAULT;
  }

  private static Set<Surface> surfaces() {
    return Set.of(Surface.ASK, Surface.EDGE);
  }

  private GroundedEngine engine(Models models) {
    SearchRepository search = new SearchRepository(database, config.retrieval().exactBelow());
    telemetry.exactFallbacks(search::exactFallbacks);
    return new GroundedEngine(
        new QueryCompiler(),
        new Retriever(search, embedder, config.retrieval()),
        config.prompt(),
        new FailoverGate(vertx),
        models,
        config.models().prices());
  }

  /** Nothing works without the database; without Redis all does, though only on the node asked. */
  private Future<Gateway> open() {
    return database
        .check()
        .timeout(DATABASE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .recover(away -> Future.failedFuture(
            away instanceof TimeoutException
                ? new IllegalStateException("the database does not answer")
                : away))
        .compose(there -> {
          answers.start();
          watchRedis();
          return indexer.start();
        })
        .compose(started -> vertx.deployVerticle(
            this::door, new DeploymentOptions().setInstances(config.http().loops())))
        .map(this)
        .recover(failure -> close().transform(closed -> Future.failedFuture(failure)));
  }

  private void watchRedis() {
    AtomicBoolean there = new AtomicBoolean(true);
    Runnable look = () -> redis.check().onComplete(probe -> {
      boolean up = probe.succeeded();
      telemetry.redisDegraded(!up);
      if (there.getAndSet(up) != up) {
        LOG.warn(
            up
                ? "Redis is back"
                : "Redis is away: answers run, other nodes follow them from the database only");
      }
    });
    look.run();
    vertx.setPeriodic(REDIS_WATCH_MILLIS, tick -> look.run());
  }

  private IntakeVerticle door() {
    IntakeVerticle door = new IntakeVerticle(
        config.http(), config.auth(), InstantSource.system(), instance -> parts());
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
        ownKeys.connections(),
        new IngestHandler(messages::write, config.ingest(), indexer::wake, signals.ingest()),
        user ->
            index.requestReindex(user).onSuccess(queued -> indexer.wake(user)).mapEmpty(),
        config.stream(),
        signals.relay(),
        this::jwks,
        Map.of(
            "postgres", new Health.Check(true, database::check),
            "migrations", new Health.Check(true, () -> database.checkSchema(schema)),
            "redis", new Health.Check(false, redis::check)),
        telemetry::scrape,
        surfaces(),
        new EdgeParts(edge(), completions));
  }

  private Future<JsonObject> jwks() {
    String url = config.auth().jwksUrl();
    return url == null
        ? Future.failedFuture("there is no auth.jwksUrl")
        : new HttpJson(upstream).get(url, JWKS_TIMEOUT, JWKS_BYTES);
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
    Duration patience = config.http().drainTimeout();
    return Future.join(shut, answers.drain(patience), completions.drain(patience))
        .<Void>mapEmpty()
        .eventually(indexer::stop)
        .eventually(() -> {
          cancels.close();
          return redis.close();
        })
        // A client does not close while a handshake is under way.
        .eventually(() -> upstream.close().timeout(LET_GO_MILLIS, TimeUnit.MILLISECONDS))
        .eventually(() -> ownKeys.client().close().timeout(LET_GO_MILLIS, TimeUnit.MILLISECONDS))
        .eventually(embedder::close)
        // A server that takes connections and says nothing would keep the pool open for its own
        // sake.
        .eventually(() -> database.close().timeout(LET_GO_MILLIS, TimeUnit.MILLISECONDS));
  }
}
