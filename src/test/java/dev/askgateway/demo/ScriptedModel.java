package dev.askgateway.demo;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A model's server that speaks like OpenAI and gives everybody the same answer at the same pace: first
 * text after 200 ms, 40 pieces 20 ms apart. It knows nothing and costs almost nothing, so that a load
 * test measures the gateway. It keeps nothing of what it was asked.
 */
final class ScriptedModel implements AutoCloseable {
  private static final int FIRST_MILLIS = 200;
  private static final int GAP_MILLIS = 20;
  private static final int PIECES = 40;

  /** Cites the first window, which is there whenever a model is asked about conversations. */
  private static final List<String> EVENTS = Wording.of(Dialect.OPENAI)
      .events(Script.answer(IntStream.range(0, PIECES)
          .mapToObj(i -> i == PIECES / 2 ? "as they said [S1], " : "and then ")
          .toArray(String[]::new)));

  private final Vertx vertx;
  private final HttpServer server;

  private ScriptedModel(Vertx vertx, HttpServer server) {
    this.vertx = vertx;
    this.server = server;
  }

  /** Listens on a free port of this machine. */
  static ScriptedModel listen() throws Exception {
    Vertx vertx = Vertx.vertx();
    HttpServer server = vertx.createHttpServer().requestHandler(request -> answer(vertx, request));
    server
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
    return new ScriptedModel(vertx, server);
  }

  /** How the gateway is told of it, with prices, so that there is something to charge. */
  Map<String, String> environment() {
    return Map.of(
        "OPENAI_BASE_URL", "http://127.0.0.1:" + server.actualPort() + "/v1",
        "OPENAI_API_KEY", "any",
        "OPENAI_MODEL", "scripted",
        "ASK_MODELS_OPENAI_DEFAULT_PRICE_INPUT", "150000",
        "ASK_MODELS_OPENAI_DEFAULT_PRICE_OUTPUT", "600000");
  }

  private static void answer(Vertx vertx, HttpServerRequest request) {
    request.end().onSuccess(read -> {
      HttpServerResponse response =
          request.response().setChunked(true).putHeader("content-type", "text/event-stream");
      vertx.setTimer(FIRST_MILLIS, fired -> write(vertx, response, 0));
    });
  }

  private static void write(Vertx vertx, HttpServerResponse response, int index) {
    if (response.closed()) {
      return; // the gateway left
    }
    response.write(EVENTS.get(index));
    if (index + 1 < EVENTS.size()) {
      vertx.setTimer(GAP_MILLIS, fired -> write(vertx, response, index + 1));
    } else {
      response.end();
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
