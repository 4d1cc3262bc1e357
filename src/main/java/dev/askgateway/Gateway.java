package dev.askgateway;

import dev.askgateway.cli.Server;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.util.concurrent.TimeUnit;

/** The composition root: builds each room and hands it what it needs. */
public final class Gateway implements Server.Running {
  private final HttpServer http;
  private final GatewayConfig config;

  private Gateway(HttpServer http, GatewayConfig config) {
    this.http = http;
    this.config = config;
  }

  /** Succeeds once requests are taken. The caller owns the Vert.x and closes it. */
  public static Future<Gateway> start(Vertx vertx, Telemetry telemetry, GatewayConfig config) {
    Router router = Router.router(vertx);
    router.get("/health/live").handler(ctx -> ctx.response().end("live\n"));
    router.get("/metrics").handler(ctx -> vertx
        .executeBlocking(telemetry::scrape)
        .onSuccess(text -> ctx.response()
            .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
            .end(text))
        .onFailure(ctx::fail));
    return vertx
        .createHttpServer()
        .requestHandler(router)
        .listen(config.http().port(), config.http().host())
        .map(http -> new Gateway(http, config));
  }

  @Override
  public int port() {
    return http.actualPort();
  }

  @Override
  public Future<Void> close() {
    return http.shutdown(config.http().drainTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }
}
