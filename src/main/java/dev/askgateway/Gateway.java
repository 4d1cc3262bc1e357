package dev.askgateway;

import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.budget.PriceShelf;
import dev.askgateway.budget.PriceWatch;
import dev.askgateway.budget.limit.Limiter;
import dev.askgateway.budget.limit.LocalLimiter;
import dev.askgateway.cli.Server;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.StandingDelay;
import dev.askgateway.intake.Health;
import dev.askgateway.intake.IntakeParts;
import dev.askgateway.intake.IntakeVerticle;
import dev.askgateway.intake.ManagementDoor;
import dev.askgateway.intake.Surface;
import dev.askgateway.intake.admission.Admissions;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.limit.LimitParts;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.http.HttpJson;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.onnx.OnnxLoader;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthState;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.store.PriceRepository;
import dev.askgateway.telemetry.Telemetry;
import dev.askgateway.telemetry.trace.Tracing;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root: builds each room that the served surfaces need and hands it what it needs. */
public final class Gateway implements Server.Running {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final Duration JWKS_TIMEOUT = Duration.ofSeconds(5);
  private static final int JWKS_BYTES = 256 * 1024;
  private static final long LET_GO_MILLIS = 1_000;

  private final Vertx vertx;
  private final GatewayConfig config;
  private final Telemetry telemetry;
  private final String node = UUID.randomUUID().toString();
  private final UpstreamClient upstream;
  private final OnnxLoader onnx;
  private final @Nullable Stores stores;
  private final @Nullable OwnKeys ownKeys;
  private final PriceBooks prices;
  private final Changes changes;
  private final @Nullable PriceWatch priceWatch;
  private final @Nullable Accounting accounting;
  private final Models models;
  private final Planner planner;
  private final Counting counting;
  private final CompletionService completions;
  private final Limiter limiter;
  private final Admissions admissions;
  private final OpenStreams streams;
  private final ManagementDoor management;
  private final List<IntakeVerticle> doors = new CopyOnWriteArrayList<>();
  private volatile @Nullable AskSurface ask;

  /** Succeeds once requests are taken. The caller owns the Vert.x and closes it. */
  public static Future<Gateway> start(Vertx vertx, Telemetry telemetry, GatewayConfig config) {
    return new Gateway(vertx, telemetry, config).open();
  }

  /** What a gateway of that configuration tells of itself. Its Vert.x is built with it. */
  public static Telemetry telemetry(GatewayConfig config) {
    return new Telemetry(config.providerNames(), Tracing.of(config.tracing(), config.names()));
  }

  private Gateway(Vertx vertx, Telemetry telemetry, GatewayConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.telemetry = telemetry;
    upstream = UpstreamClient.create(vertx, config.upstream());
    onnx = new OnnxLoader(vertx, config.embedding());
    stores = Stores.of(vertx, config).orElse(null);
    prices = new PriceBooks(config.models().prices(), Clock.systemUTC());
    priceWatch = stores == null
        ? null
        : new PriceWatch(vertx, new PriceShelf(new PriceRepository(stores.database())), prices);
    accounting =
        stores == null ? null : new Accounting(vertx, config, telemetry, stores, prices, node);
    changes = Changes.of(vertx, config, stores, telemetry);
    ModelSwitch modelSwitch = changes.models();
    ownKeys =
        stores == null ? null : OwnKeys.of(vertx, config, stores.database(), onnx, modelSwitch);
    HealthBook health = new HealthBook(vertx, Gateway::logHealth);
    models = new Models(
        config.models().catalogue(),
        modelSwitch.over(new Dialects(vertx, upstream, onnx)),
        prices,
        health);
    telemetry
        .models()
        .health(
            health.states().keySet(),
            Arrays.stream(HealthState.values()).map(HealthState::wire).toList(),
            model -> health.state(model).wire());
    telemetry.upstreams(config.models().servers());
    telemetry.models().names(config.models().modelNames());
    telemetry.requests().profiles(config.models().catalogue().profiles().keySet());
    telemetry.dataKeepAlives(this::dataKeepAlives);
    planner = ownKeys == null ? models : ownKeys.models().before(models);
    Accounts accounts = accounting == null ? Accounts.NONE : accounting.accounts();
    counting = Counting.o200k(vertx);
    telemetry.inputsBounded(counting::bounded);
    if (accounts != Accounts.NONE && config.surfaces().contains(Surface.EDGE)) {
      counting.load(); // Not waited for: until it is there, bounds do.
    }
    completions = new CompletionService(new CompletionService.Rooms(
        vertx,
        models,
        // Whoever says no name has no models of their own, nor those of one who is called so.
        modelSwitch.refusing(config.edge().auth() == EdgeConfig.Auth.NONE ? models : planner),
        new FailoverGate(vertx),
        prices,
        counting,
        accounts,
        new Signals(telemetry).completions(),
        accounting == null ? null : accounting.replays()));
    limiter = stores == null ? new LocalLimiter() : stores.limiter(telemetry);
    streams = new OpenStreams(new Signals(telemetry).relay());
    admissions = new Admissions(
        config.admission(),
        config.surfaces().contains(Surface.ASK),
        config.models().embedsHere(),
        stores == null ? new StandingDelay() : stores.database().waits(),
        this::running,
        new Signals(telemetry).admission());
    telemetry.admission().watch(admissions::limit, admissions::inFlight, admissions::open);
    management = new ManagementDoor(
        vertx,
        config.management(),
        new Health(checks(), admissions, changes::told),
        telemetry::scrape);
  }

  private int running() {
    AskSurface asking = ask;
    return completions.running() + (asking == null ? 0 : asking.running());
  }

  private long dataKeepAlives() {
    long own = ownKeys == null ? 0 : ownKeys.client().dataKeepAlives().sum();
    return own + upstream.dataKeepAlives().sum();
  }

  private static void logHealth(String provider, String model, HealthState state) {
    if (state == HealthState.UP) {
      LOG.info("model {}:{} is up", provider, model);
    } else {
      LOG.warn("model {}:{} is {}", provider, model, state.wire());
    }
  }

  private Future<Gateway> open() {
    return (stores == null ? Future.<Void>succeededFuture() : stores.open(telemetry))
        .compose(there -> priceWatch == null ? Future.succeededFuture() : priceWatch.start())
        .compose(priced -> changes.start())
        .compose(known -> asking())
        .onSuccess(asking -> {
          if (accounting != null) {
            accounting.start();
          }
        })
        .compose(started -> management.open())
        .compose(managed -> vertx.deployVerticle(
            this::door, new DeploymentOptions().setInstances(config.http().loops())))
        .map(this)
        .recover(failure -> letGo().transform(gone -> Future.failedFuture(failure)));
  }

  /** Questions need the model in this process before the first of them comes, and the tokenizer. */
  private Future<Void> asking() {
    Stores data = stores;
    Accounting money = accounting;
    OwnKeys own = ownKeys;
    if (data == null || money == null || own == null || !config.surfaces().contains(Surface.ASK)) {
      return Future.succeededFuture();
    }
    telemetry.embeddingQueues(onnx::queryQueueDepth, onnx::queueDepth);
    return counting.load().otherwiseEmpty().compose(counted -> warm()).compose(ready -> {
      AskSurface surface = new AskSurface(
          vertx,
          config,
          telemetry,
          data,
          money.turns(),
          models.embedders(config.models().messageProfiles()),
          own.connections(),
          changes.seating(planner),
          prices,
          counting,
          node);
      ask = surface;
      return surface.start(money::running);
    });
  }

  /** Loads the model in this process, if messages or questions may need it. */
  private Future<Void> warm() {
    return config.models().embedsHere() ? onnx.get().mapEmpty() : Future.succeededFuture();
  }

  private IntakeVerticle door() {
    IntakeVerticle door = new IntakeVerticle(
        config.http(), config.auth(), InstantSource.system(), instance -> parts());
    doors.add(door);
    return door;
  }

  /** Called on the event loop of the door. */
  private IntakeParts parts() {
    keepWarm();
    AskSurface asking = ask;
    return new IntakeParts(
        asking == null ? null : asking.parts(streams),
        config.surfaces().contains(Surface.EDGE) ? new EdgeParts(config.edge(), completions) : null,
        accounting == null ? null : accounting.parts(),
        new LimitParts(config.limits(), limiter, new Signals(telemetry).limits()),
        admissions,
        config.stream(),
        streams,
        this::jwks,
        checks(),
        changes::told,
        telemetry::scrape,
        telemetry.tracing().traces());
  }

  private Map<String, Health.Check> checks() {
    return stores == null ? Map.of() : stores.health();
  }

  private void keepWarm() {
    config
        .models()
        .catalogue()
        .providers()
        .values()
        .forEach(provider -> upstream.keepWarm(
            provider.baseUrl(), provider.warmConnections(), Deadlines.DEFAULT.connect()));
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

  @Override
  public int managementPort() {
    return management.port();
  }

  /** Takes no new requests, lets answers end, then lets go of everything. */
  @Override
  public Future<Void> close() {
    return new Shutdown(
            vertx, config.http(), admissions, doors, this::rest, this::drain, streams::open)
        .run()
        .eventually(this::letGo);
  }

  /** What works for nobody who waits goes first. */
  private Future<Void> rest() {
    AskSurface asking = ask;
    if (priceWatch != null) {
      priceWatch.stop();
    }
    changes.stop();
    return Future.join(
            accounting == null ? Future.succeededFuture() : accounting.stop(),
            asking == null ? Future.succeededFuture() : asking.stopBackground())
        .mapEmpty();
  }

  private Future<Void> drain(Duration patience) {
    AskSurface asking = ask;
    return Future.join(
            asking == null ? Future.succeededFuture() : asking.drain(patience),
            completions.drain(patience))
        .mapEmpty();
  }

  private Future<Void> letGo() {
    AskSurface asking = ask;
    if (accounting != null) {
      accounting.accounts().close();
    }
    return Future.join(doors.stream().map(IntakeVerticle::shut).toList())
        .<Void>mapEmpty()
        .eventually(this::rest) // of a start that failed
        .eventually(() -> asking == null ? Future.succeededFuture() : asking.stop())
        .eventually(() -> stores == null ? Future.succeededFuture() : stores.closeRedis())
        .eventually(management::close)
        .eventually(() -> letGo(upstream))
        .eventually(() -> ownKeys == null ? Future.succeededFuture() : letGo(ownKeys.client()))
        .eventually(onnx::close)
        .eventually(() -> stores == null ? Future.succeededFuture() : stores.closeDatabase())
        .eventually(() -> telemetry.tracing().close(vertx));
  }

  /** A client does not close while a handshake is under way. */
  private static Future<Void> letGo(UpstreamClient client) {
    return client.close().timeout(LET_GO_MILLIS, TimeUnit.MILLISECONDS);
  }
}
