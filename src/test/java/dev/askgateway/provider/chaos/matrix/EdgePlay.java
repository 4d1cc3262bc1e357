package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.answer.SilentListener;
import dev.askgateway.answer.completion.Accounts;
import dev.askgateway.answer.completion.Caller;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.intake.admission.Everybody;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.edge.EdgeRoutes;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.store.Begun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One row, played through the OpenAI-compatible edge by a client over HTTP: one request. */
final class EdgePlay implements Accounts, AutoCloseable {
  /** Longer than any row takes, so that whatever fails before its text has a status of its own. */
  private static final EdgeConfig EDGE = new EdgeConfig(
      EdgeConfig.Auth.NONE, EdgeConfig.Accounting.NONE, Duration.ofMinutes(1), 1 << 20);

  private static final RelayConfig RELAY =
      new RelayConfig(Duration.ofSeconds(10), Duration.ofSeconds(10), RelayConfig.Compat.NONE);

  private final Row row;
  private final Dialect dialect;
  private final String profile;
  private final boolean stream;
  private final TwoModels models;
  private final HttpServer server;
  private final List<JsonObject> settled = new CopyOnWriteArrayList<>();
  private Seen seen;

  EdgePlay(
      Vertx vertx,
      UpstreamClient client,
      Dialect dialect,
      Row row,
      String profile,
      boolean stream) {
    this.row = row;
    this.dialect = dialect;
    this.profile = profile;
    this.stream = stream;
    models = new TwoModels(vertx, client, dialect, row);
    CompletionService completions = new CompletionService(new CompletionService.Rooms(
        vertx,
        models.models(),
        models.models(),
        new FailoverGate(vertx),
        PriceBooks.of(TwoModels.PRICES),
        Counting.o200k(vertx),
        this,
        new SilentListener(),
        null));
    Router router = Router.router(vertx);
    new EdgeRoutes(
            vertx,
            new EdgeParts(EDGE, completions),
            RELAY,
            RelayListener.NONE,
            Duration.ofSeconds(10),
            Everybody.onLoop(vertx))
        .mount(router, ctx -> ctx.next(), ctx -> ctx.next());
    server = Wait.on(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
  }

  @Override
  public Future<Begun> begin(Caller caller, String kind, String model, Hold hold, Duration lease) {
    return Future.succeededFuture(Begun.FRESH);
  }

  @Override
  public Future<Void> finish(Caller caller, JsonObject end) {
    settled.add(end);
    return Future.succeededFuture();
  }

  /** Asks, and completes with all that came back. */
  Future<Seen> run(HttpClient http) {
    JsonObject body = new JsonObject()
        .put("model", profile)
        .put("stream", stream)
        .put(
            "messages",
            new JsonArray().add(new JsonObject().put("role", "user").put("content", "Who came?")));
    return http.request(HttpMethod.POST, server.actualPort(), "127.0.0.1", "/v1/chat/completions")
        .compose(
            request -> request.putHeader("content-type", "application/json").send(body.toBuffer()))
        .compose(response -> response.body().map(all -> Seen.of(response, all.toString())))
        .onSuccess(all -> seen = all);
  }

  Row row() {
    return row;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Whether the faulty model is the only one. */
  boolean alone() {
    return profile.equals(TwoModels.ALONE);
  }

  boolean stream() {
    return stream;
  }

  TwoModels models() {
    return models;
  }

  Seen seen() {
    return seen;
  }

  /** What was settled, each time that something was. */
  List<JsonObject> settled() {
    return settled;
  }

  @Override
  public void close() {
    Wait.on(server.close());
    models.close();
  }
}
