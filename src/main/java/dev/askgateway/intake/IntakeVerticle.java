package dev.askgateway.intake;

import dev.askgateway.core.FreshId;
import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.admission.Admission;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.auth.Authenticator;
import dev.askgateway.intake.auth.BearerHandler;
import dev.askgateway.intake.connections.ConnectionRoutes;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.edge.EdgeRoutes;
import dev.askgateway.intake.limit.LimitGate;
import dev.askgateway.intake.trace.RequestName;
import dev.askgateway.intake.trace.RequestSpan;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.openapi.router.OpenAPIRoute;
import io.vertx.ext.web.openapi.router.RouterBuilder;
import io.vertx.openapi.contract.Operation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP door. Each instance owns one event loop and everything built on it; instances share the
 * port.
 */
public final class IntakeVerticle extends VerticleBase {
  /** What Vert.x takes for one free port for all instances; with 0 each would take its own. */
  private static final int SHARED_FREE_PORT = -1;

  /** An answer that is interrupted at the end of the drain is stored first, then told. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final IntakeConfig config;
  private final AuthConfig auth;
  private final InstantSource clock;
  private final Function<Vertx, IntakeParts> build;
  private volatile @Nullable HttpServer server;
  private volatile @Nullable OpenConnections connections;

  /**
   * A door that is not open yet.
   *
   * @param clock what the time claims of tokens are held against
   * @param build makes the parts of one instance, called on that instance's event loop
   */
  public IntakeVerticle(
      IntakeConfig config,
      AuthConfig auth,
      InstantSource clock,
      Function<Vertx, IntakeParts> build) {
    this.config = config;
    this.auth = auth;
    this.clock = clock;
    this.build = build;
  }

  @Override
  public Future<?> start() {
    IntakeParts parts = build.apply(vertx);
    OpenConnections open =
        new OpenConnections(parts.admissions(), config.drainGrace().plus(longest()));
    connections = open;
    return Contract.load(vertx).compose(contract -> {
      Router router = router(contract, parts);
      HttpServer http = vertx
          .createHttpServer(options())
          .connectionHandler(open::opened)
          .requestHandler(request -> {
            open.carries(request);
            router.handle(request);
          })
          .invalidRequestHandler(Refusals::unreadable);
      server = http;
      int port = config.port() == 0 ? SHARED_FREE_PORT : config.port();
      return http.listen(port, config.host());
    });
  }

  /** The port that was taken, for a configured port of 0. */
  public int port() {
    HttpServer http = server;
    return http == null ? -1 : http.actualPort();
  }

  /**
   * Lets each connection end with what it carries, and those that carry nothing at once. From any thread.
   */
  public void endConnections() {
    OpenConnections open = connections;
    if (open != null) {
      context.runOnContext(now -> open.endAll());
    }
  }

  /** Takes no new connections; what is being told may be told to its end. From any thread. */
  public Future<?> shut() {
    return shutdown(LAST_WORDS);
  }

  /** Takes no new connections. Open answers get the drain's time to finish, then to tell their end. */
  @Override
  public Future<?> stop() {
    return shutdown(longest());
  }

  private Duration longest() {
    return config.drainTimeout().plus(LAST_WORDS.multipliedBy(2)); // to store it, and to tell it
  }

  private Future<?> shutdown(Duration patience) {
    HttpServer http = server;
    return http == null
        ? Future.succeededFuture()
        : http.shutdown(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setMaxInitialLineLength(config.maxUriBytes())
        .setMaxHeaderSize(config.maxHeaderBytes())
        .setHandle100ContinueAutomatically(false) // first the checks, then the body
        .setDecompressionSupported(false)
        .setCompressionSupported(false) // a compressor would hold back the events of a stream
        .setPerFrameWebSocketCompressionSupported(
            false) // no web sockets here, so no handlers for them
        .setPerMessageWebSocketCompressionSupported(false)
        .setTcpNoDelay(true)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout((int) Math.min(config.idleTimeout().toMillis(), Integer.MAX_VALUE));
  }

  private Router router(Contract contract, IntakeParts parts) {
    BearerHandler bearer = new BearerHandler(
        new Authenticator(vertx, auth, parts.jwks(), clock), new LimitGate(vertx, parts.limits()));
    AskParts ask = parts.ask();
    Admission admission = parts.admissions().onLoop(vertx);
    Router router = ask == null
        ? operating(contract, parts, bearer)
        : asking(contract, parts, ask, bearer, admission);
    EdgeParts edge = parts.edge();
    if (edge != null) {
      new EdgeRoutes(
              vertx, edge, parts.relay(), parts.relayListener(), config.bodyTimeout(), admission)
          .mount(router, new Cors(config.corsOrigins()), bearer);
    }
    RequestSpan.mount(router, parts.traces());
    new Refusals(vertx, contract.rules()).install(router);
    return router;
  }

  /** The whole contract. */
  private Router asking(
      Contract contract,
      IntakeParts parts,
      AskParts ask,
      BearerHandler bearer,
      Admission admission) {
    RequestReader reader = new RequestReader(vertx, config, contract.produces());
    RouterBuilder builder = RouterBuilder.create(vertx, contract.rules(), reader)
        .rootHandler(IntakeVerticle::guard)
        .rootHandler(new Cors(config.corsOrigins()))
        .rootHandler(personal(bearer));
    // The bearer handler guards every path under /ai, also those the contract does not know.
    builder.getRoutes().forEach(route -> route.setDoSecurity(false));
    asking(builder, ask, admission);
    reading(builder, ask);
    connecting(builder, new ConnectionRoutes(ask.connections()));
    accounting(parts).forEach((operation, handler) -> route(builder, operation, handler));
    new OperationRoutes(vertx, contract, parts)
        .mount((operation, handler) -> plain(builder, operation, handler));
    OpenAPIRoute ingest = builder.getRoute("ingestMessages").setDoValidation(false);
    ingest.addHandler(ctx -> {
      if (reader.isAcceptable(ctx, "ingestMessages")) {
        admission.checkImport();
        RequestReader.sendContinue(ctx.request());
        ctx.next();
      } else {
        ctx.fail(RequestReader.notAcceptable());
      }
    });
    ingest.addHandler(ask.ingest());
    return builder.createRouter();
  }

  /** What operates a node, and people's accounts where they are charged without being asked here. */
  private Router operating(Contract contract, IntakeParts parts, BearerHandler bearer) {
    Router router = Router.router(vertx);
    router.route().handler(IntakeVerticle::guard);
    Map<String, Handler<RoutingContext>> accounting = accounting(parts);
    if (!accounting.isEmpty()) {
      router.route().handler(new Cors(config.corsOrigins())).handler(personal(bearer));
      Validated validated = new Validated(
          vertx, contract.rules(), new RequestReader(vertx, config, contract.produces()));
      accounting.forEach((operation, handler) -> {
        Operation known = contract.rules().operation(operation);
        router
            .route(known.getHttpMethod(), known.getOpenAPIPath())
            .handler(validated.of(known))
            .handler(handler);
      });
    }
    new OperationRoutes(vertx, contract, parts).mount((operation, handler) -> {
      Operation known = contract.rules().operation(operation);
      router.route(known.getHttpMethod(), known.getOpenAPIPath()).handler(handler);
    });
    return router;
  }

  private void asking(RouterBuilder builder, AskParts parts, Admission admission) {
    AskRoutes ask = new AskRoutes(vertx, parts, admission);
    RequestRoutes requests = new RequestRoutes(vertx, parts, config.replayWindow());
    route(builder, "ask", ask::ask);
    route(builder, "askInThread", ask::askInThread);
    route(builder, "askInConversation", ask::askInConversation);
    route(builder, "search", ask::search);
    route(builder, "getRequest", requests::get);
    route(builder, "streamRequest", requests::stream);
    route(builder, "cancelRequest", requests::cancel);
    route(builder, "resumeMessages", requests::resumeMessages);
    route(builder, "resumeThread", requests::resumeThread);
    route(builder, "resumeConversation", requests::resumeConversation);
  }

  private Map<String, Handler<RoutingContext>> accounting(IntakeParts parts) {
    BudgetParts budget = parts.budget();
    return budget == null ? Map.of() : new BudgetRoutes(budget, clock).handlers();
  }

  private static void reading(RouterBuilder builder, AskParts parts) {
    ThreadRoutes threads = new ThreadRoutes(parts);
    DataRoutes data = new DataRoutes(parts);
    route(builder, "listThreads", threads::list);
    route(builder, "createThread", threads::create);
    route(builder, "getThread", threads::get);
    route(builder, "deleteThread", threads::delete);
    route(builder, "getConversation", threads::getConversation);
    route(builder, "deleteConversation", threads::deleteConversation);
    route(builder, "mentionCandidates", data::mentionCandidates);
    route(builder, "indexStatus", data::indexStatus);
    route(builder, "startIndex", data::startIndex);
  }

  private static void connecting(RouterBuilder builder, ConnectionRoutes connections) {
    route(builder, "listConnections", connections::list);
    route(builder, "createConnection", connections::create);
    route(builder, "testConnection", connections::test);
    route(builder, "rotateSecret", connections::rotateSecret);
    route(builder, "revokeConnection", connections::revoke);
    route(builder, "listModelProfiles", connections::listProfiles);
    route(builder, "putModelProfile", connections::putProfile);
    route(builder, "deleteModelProfile", connections::deleteProfile);
  }

  private static void route(
      RouterBuilder builder, String operation, Handler<RoutingContext> handler) {
    builder.getRoute(operation).addHandler(handler);
  }

  private static void plain(
      RouterBuilder builder, String operation, Handler<RoutingContext> handler) {
    builder.getRoute(operation).setDoValidation(false).addHandler(handler);
  }

  /** Everything under /ai is somebody's own. */
  private static Handler<RoutingContext> personal(BearerHandler bearer) {
    return ctx -> {
      String path = ctx.normalizedPath();
      if (path.equals("/ai") || path.startsWith("/ai/")) {
        ctx.response().putHeader("cache-control", "no-store");
        bearer.handle(ctx);
      } else {
        ctx.next();
      }
    };
  }

  /** What no path and no parameter may hold, whatever the contract says of it. */
  private static void guard(RoutingContext ctx) {
    ctx.response().putHeader("x-content-type-options", "nosniff");
    RequestName.name(ctx, FreshId.next());
    String uri = ctx.request().uri();
    if (uri.contains("%00") || uri.indexOf('\0') >= 0 || !isReadable(ctx)) {
      ctx.fail(GatewayError.invalid("", "The address cannot be read."));
    } else {
      ctx.next();
    }
  }

  private static boolean isReadable(RoutingContext ctx) {
    try {
      return !ctx.normalizedPath().isEmpty() && ctx.queryParams() != null;
    } catch (IllegalArgumentException | HttpException brokenEscape) {
      return false;
    }
  }
}
