package dev.askgateway.intake;

import dev.askgateway.telemetry.LogLevels;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operator's own listener: health and metrics as at the door, and the levels of the log. It asks for
 * no token, so it listens on this machine only unless told otherwise, and whoever is not on this machine
 * changes nothing.
 */
public final class ManagementDoor {
  private static final int LONGEST_BODY = 1_024;
  private static final int IDLE_SECONDS = 60;

  private final Vertx vertx;
  private final ManagementConfig config;
  private final Health health;
  private final Supplier<String> metrics;
  private volatile @Nullable HttpServer server;

  /**
   * A listener that is not open yet.
   *
   * @param health as the door tells it
   * @param metrics writes the Prometheus text; called on a worker thread
   */
  public ManagementDoor(
      Vertx vertx, ManagementConfig config, Health health, Supplier<String> metrics) {
    this.vertx = vertx;
    this.config = config;
    this.health = health;
    this.metrics = metrics;
  }

  /** Succeeds when it listens, or when there is to be none. */
  public Future<Void> open() {
    if (!config.enabled()) {
      return Future.succeededFuture();
    }
    HttpServer http = vertx
        .createHttpServer(new HttpServerOptions()
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setIdleTimeout(IDLE_SECONDS))
        .requestHandler(router());
    server = http;
    return http.listen(config.port(), config.host()).mapEmpty();
  }

  /** The port that was taken; -1 while there is none. */
  public int port() {
    HttpServer http = server;
    return http == null ? -1 : http.actualPort();
  }

  /** Lets go of the port. */
  public Future<Void> close() {
    HttpServer http = server;
    return http == null ? Future.succeededFuture() : http.close();
  }

  private Router router() {
    Router router = Router.router(vertx);
    router.get("/health/live").handler(health::live);
    router.get("/health/ready").handler(health::ready);
    router.get("/metrics").handler(ctx -> Metrics.respond(vertx, ctx, metrics));
    router.get("/loggers/:name").handler(this::shown);
    router
        .put("/loggers/:name")
        .handler(BodyHandler.create(false).setBodyLimit(LONGEST_BODY))
        .handler(this::set);
    return router;
  }

  /** Whoever comes by a loopback, or from the very address that it comes to. */
  private static boolean isFromHere(RoutingContext ctx) {
    @Nullable String from = ctx.request().remoteAddress().hostAddress();
    return from != null
        && (from.startsWith("127.") || from.equals(ctx.request().localAddress().hostAddress()));
  }

  private void shown(RoutingContext ctx) {
    respond(ctx, LogLevels.of(ctx.pathParam("name")));
  }

  private void set(RoutingContext ctx) {
    if (!isFromHere(ctx)) {
      refuse(ctx, 403, "Levels are changed from this machine only.");
      return;
    }
    try {
      @Nullable JsonObject body = ctx.body().asJsonObject();
      if (body == null || !body.containsKey("level")) {
        throw new IllegalArgumentException("no level");
      }
      respond(ctx, LogLevels.set(ctx.pathParam("name"), body.getString("level")));
    } catch (DecodeException | ClassCastException | IllegalArgumentException wrong) {
      refuse(
          ctx,
          400,
          "The body is {\"level\": L}, L one of " + String.join(", ", LogLevels.LEVELS)
              + ", or null for that of the package above.");
    }
  }

  private static void respond(RoutingContext ctx, Optional<LogLevels.Shown> found) {
    found.ifPresentOrElse(
        level -> Replies.json(
            ctx,
            200,
            new JsonObject()
                .put("name", level.name())
                .put("level", level.level())
                .put("effectiveLevel", level.effective())),
        () -> refuse(ctx, 404, "There is no such logger of the gateway's own."));
  }

  private static void refuse(RoutingContext ctx, int status, String sentence) {
    Replies.json(ctx, status, new JsonObject().put("success", false).put("error", sentence));
  }
}
