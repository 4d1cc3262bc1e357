package dev.askgateway.evals.service;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A model's server that speaks like OpenAI, gives everybody the same answer at a pace that can be changed, and
 * begins at once. On one event loop of its own; it costs little and keeps nothing of what it was asked.
 */
final class PacedModel implements AutoCloseable {
  private static final int PIECES = 40;

  /** Pieces that come before a held answer waits. */
  private static final int SHOWN = 3;

  private static final List<String> EVENTS = Wording.of(Dialect.OPENAI)
      .events(Script.answer(IntStream.range(0, PIECES)
          .mapToObj(i -> i == 1 ? "as they said [S1], " : "and then ")
          .toArray(String[]::new)));

  private final Vertx vertx;
  private final HttpServer server;

  private final Queue<HttpServerResponse> held = new ConcurrentLinkedQueue<>();

  private volatile Duration gap = Duration.ZERO;
  private volatile boolean holding;

  private PacedModel() throws Exception {
    vertx = Vertx.vertx();
    server = vertx.createHttpServer().requestHandler(this::answer);
    server
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  /** Listens on a free port of this machine; a whole answer at once, until told otherwise. */
  static PacedModel listen() throws Exception {
    return new PacedModel();
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

  /** Answers from now on have 40 pieces so far apart; zero: all at once. */
  void pace(Duration between) {
    gap = between;
  }

  /** Answers from now on begin, and go on only once they are released. */
  void hold() {
    holding = true;
  }

  /** Ends what is held. */
  void release() {
    holding = false;
    for (HttpServerResponse one = held.poll(); one != null; one = held.poll()) {
      end(one);
    }
  }

  private void answer(HttpServerRequest request) {
    request.end().onSuccess(read -> {
      HttpServerResponse response =
          request.response().setChunked(true).putHeader("content-type", "text/event-stream");
      if (holding) {
        response.write(String.join("", EVENTS.subList(0, SHOWN)));
        held.add(response);
      } else if (gap.isZero()) {
        response.end(String.join("", EVENTS));
      } else {
        write(response, 0);
      }
    });
  }

  private static void end(HttpServerResponse response) {
    if (!response.closed()) {
      response.end(String.join("", EVENTS.subList(SHOWN, EVENTS.size())));
    }
  }

  private void write(HttpServerResponse response, int index) {
    if (response.closed()) {
      return; // the gateway left
    }
    response.write(EVENTS.get(index));
    if (index + 1 < EVENTS.size()) {
      vertx.setTimer(gap.toMillis(), fired -> write(response, index + 1));
    } else {
      response.end();
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
