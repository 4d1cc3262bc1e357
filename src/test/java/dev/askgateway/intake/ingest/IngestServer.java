package dev.askgateway.intake.ingest;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;

/** A real HTTP server with nothing but the handler, behind an authentication that takes its time. */
final class IngestServer implements AutoCloseable {
  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  IngestServer(Vertx vertx, IngestHandler handler) {
    Router router = Router.router(vertx);
    router.route().handler(ctx -> {
      ctx.request().pause();
      vertx.setTimer(5, later -> {
        ctx.put("user-id", new UserId(ctx.request().getHeader("x-user")));
        ctx.next();
      });
    });
    router.post("/ai/messages").handler(handler);
    router.route().failureHandler(ctx -> {
      String code = ctx.failure() instanceof GatewayError error ? error.code().wire() : "unknown";
      ctx.response().setStatusCode(499).end(code + " " + ctx.failure().getMessage());
    });
    server = vertx.createHttpServer().requestHandler(router).listen(0).await();
  }

  int port() {
    return server.actualPort();
  }

  record Answer(int status, String body) {
    JsonObject data() {
      return new JsonObject(body).getJsonObject("data");
    }
  }

  Answer ndjson(String user, String body) {
    return post(user, "application/x-ndjson", BodyPublishers.ofString(body));
  }

  Answer json(String user, String body) {
    return post(user, "application/json", BodyPublishers.ofString(body));
  }

  /** Sends a body of unknown length, chunked. */
  Answer streamed(String user, String type, Supplier<InputStream> body) {
    return post(user, type, BodyPublishers.ofInputStream(body));
  }

  Answer post(String user, String type, BodyPublisher body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://localhost:" + port() + "/ai/messages"))
        .timeout(Duration.ofSeconds(120))
        .header("x-user", user)
        .POST(body);
    if (!type.isEmpty()) {
      request.header("content-type", type);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (java.io.IOException failed) {
      throw new java.io.UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void close() {
    server.close().await();
  }
}
