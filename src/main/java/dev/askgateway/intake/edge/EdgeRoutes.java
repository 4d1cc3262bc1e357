package dev.askgateway.intake.edge;

import dev.askgateway.answer.completion.Caller;
import dev.askgateway.answer.completion.CompletionCommand;
import dev.askgateway.answer.completion.CompletionService;
import dev.askgateway.answer.completion.EmbeddingCommand;
import dev.askgateway.answer.completion.EmbeddingRun;
import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.FreshId;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.intake.admission.Admission;
import dev.askgateway.intake.admission.AdmittedCompletion;
import dev.askgateway.intake.admission.Ticket;
import dev.askgateway.intake.auth.BearerHandler;
import dev.askgateway.intake.trace.RequestName;
import dev.askgateway.intake.trace.RequestSpan;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.relay.edge.Answering;
import dev.askgateway.relay.edge.ChunkEncoder;
import dev.askgateway.relay.edge.ChunkRelay;
import dev.askgateway.relay.edge.EdgeErrors;
import dev.askgateway.relay.edge.EmbeddingList;
import dev.askgateway.relay.edge.JsonReply;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything under {@code /v1}, on one route of its own before all others: no contract is looked up
 * and no validator run. Errors have OpenAI's shape.
 */
public final class EdgeRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeRoutes.class);
  private static final String ROOT = "/v1";
  private static final String MODELS = ROOT + "/models";
  private static final UserId ANYBODY = new UserId("anonymous");
  /** Longer JSON is read, and more numbers are written, off the event loop. */
  private static final int MOST_BYTES_ON_LOOP = 256 << 10;

  private static final int MOST_NUMBERS_ON_LOOP = 16_384;

  private final Vertx vertx;
  private final EdgeConfig config;
  private final CompletionService completions;
  private final RelayConfig relay;
  private final RelayListener listener;
  private final BodyReader bodies;
  private final ModelList models;
  private final Admission admission;

  public EdgeRoutes(
      Vertx vertx,
      EdgeParts parts,
      RelayConfig relay,
      RelayListener listener,
      Duration bodyTimeout,
      Admission admission) {
    this.admission = admission;
    this.vertx = vertx;
    this.config = parts.config();
    this.completions = parts.completions();
    this.relay = relay;
    this.listener = listener;
    this.bodies = new BodyReader(vertx, config.maxBodyBytes(), bodyTimeout);
    this.models = new ModelList(completions.models(), System.currentTimeMillis() / 1000);
  }

  /**
   * Puts the edge before the routes that are there.
   *
   * @param first what every request passes
   * @param bearer finds the person, where one is asked for
   */
  public void mount(Router router, Handler<RoutingContext> first, Handler<RoutingContext> bearer) {
    router
        .route(ROOT + "/*")
        .order(-1)
        .handler(EdgeRoutes::name)
        .handler(first)
        .handler(config.auth() == EdgeConfig.Auth.NONE ? EdgeRoutes::anybody : bearer)
        .handler(this::handle)
        .failureHandler(ctx -> refuse(ctx, ctx.failure()));
  }

  /** Also a request that is turned away at once can be found in the log. */
  private static void name(RoutingContext ctx) {
    RequestName.name(ctx, FreshId.next());
    ctx.next();
  }

  private static void anybody(RoutingContext ctx) {
    ctx.request().pause();
    ctx.put(BearerHandler.USER_ID, ANYBODY);
    ctx.next();
  }

  private void handle(RoutingContext ctx) {
    String path = ctx.request().path();
    switch (path) {
      case ROOT + "/chat/completions" -> post(ctx, this::chat);
      case ROOT + "/embeddings" -> post(ctx, this::embed);
      case MODELS -> get(ctx, models.all());
      default -> {
        if (path.startsWith(MODELS + "/")) {
          model(ctx, path.substring(MODELS.length() + 1));
        } else {
          GatewayError unknown = GatewayError.notFound("path");
          bodies.drop(ctx.request());
          EdgeErrors.respond(ctx.response(), unknown, EdgeErrors.body(unknown));
        }
      }
    }
  }

  /** What a request with a body says. */
  private interface Reading {
    void read(RoutingContext ctx, EdgeRequestId id, Buffer body, JsonObject json);
  }

  private void post(RoutingContext ctx, Reading reading) {
    HttpServerRequest request = ctx.request();
    if (!request.method().equals(HttpMethod.POST)) {
      wrongMethod(ctx, "POST");
      return;
    }
    bodies
        .read(request)
        .compose(body -> json(body).map(json -> {
          EdgeRequestId id =
              EdgeRequestId.of(request, body, Objects.requireNonNull(RequestName.of(ctx)));
          RequestName.name(ctx, id.id());
          reading.read(ctx, id, body, json);
          return id;
        }))
        .onFailure(refused -> refuse(ctx, refused));
  }

  private Future<JsonObject> json(Buffer body) {
    return body.length() > MOST_BYTES_ON_LOOP
        ? vertx.executeBlocking(() -> parsed(body), false)
        : Future.succeededFuture(parsed(body));
  }

  private static JsonObject parsed(Buffer body) {
    try {
      return WellFormed.of(body, new JsonObject(body));
    } catch (DecodeException | ClassCastException notAnObject) {
      throw GatewayError.invalid("", "The request's body is not a JSON object.");
    }
  }

  private void chat(RoutingContext ctx, EdgeRequestId id, Buffer body, JsonObject json) {
    ChatReader.Chat chat = ChatReader.read(json);
    // Before the span and the relay, which would go on for a request that is turned away.
    Ticket ticket = admitted(ctx, id);
    Caller caller = caller(ctx, id, SpanName.COMPLETION_REQUEST, chat.model());
    Answering answering =
        new Answering("chatcmpl-" + hex(id.id()), caller.createdSeconds(), chat.model());
    try {
      CompletionSink sink = chat.stream()
          ? new ChunkRelay(
              vertx,
              ctx.request(),
              relay,
              config.headAfter(),
              listener,
              new ChunkEncoder(answering, chat.includeUsage()))
          : new JsonReply(ctx.response(), answering);
      completions.complete(
          new CompletionCommand(
              caller, chat.model(), chat.request(), chat.openAiOnly(), body.length()),
          new AdmittedCompletion(sink, ticket));
    } catch (RuntimeException broken) {
      ticket.over();
      throw broken;
    }
  }

  private Ticket admitted(RoutingContext ctx, EdgeRequestId id) {
    return admission.completion(BearerHandler.person(ctx), id.keyed() ? id.id() : null);
  }

  private static String hex(UUID id) {
    return id.toString().replace("-", "");
  }

  private static Caller caller(RoutingContext ctx, EdgeRequestId id, SpanName name, String model) {
    return new Caller(
        BearerHandler.person(ctx),
        id.id(),
        id.fingerprint(),
        id.keyed(),
        System.currentTimeMillis() / 1000,
        RequestSpan.of(ctx)
            .child(name)
            .set(SpanKey.REQUEST_ID, id.id())
            .named(SpanKey.PROFILE, model));
  }

  private void embed(RoutingContext ctx, EdgeRequestId id, Buffer body, JsonObject json) {
    EmbeddingReader.Asked asked = EmbeddingReader.read(json);
    Ticket ticket = admitted(ctx, id);
    Caller caller = caller(ctx, id, SpanName.EMBEDDING_REQUEST, asked.model());
    Future.succeededFuture()
        .compose(admitted -> completions.embed(
            new EmbeddingCommand(caller, asked.model(), asked.request()),
            new AdmittedEmbedding(ctx.response(), ticket)))
        .onComplete(done -> ticket.over())
        .compose(made -> written(asked, made))
        .onSuccess(list -> json(ctx, list))
        .onFailure(refused -> refuse(ctx, refused));
  }

  private Future<Buffer> written(EmbeddingReader.Asked asked, EmbeddingRun.Vectors made) {
    long numbers = made.vectors().stream().mapToLong(vector -> vector.length).sum();
    return numbers > MOST_NUMBERS_ON_LOOP
        ? vertx.executeBlocking(() -> list(asked, made), false)
        : Future.succeededFuture(list(asked, made));
  }

  private static Buffer list(EmbeddingReader.Asked asked, EmbeddingRun.Vectors made) {
    return EmbeddingList.of(asked.model(), made.vectors(), asked.encoding(), made.usage());
  }

  private void model(RoutingContext ctx, String encoded) {
    Buffer model = models.one(decoded(encoded));
    if (model == null) {
      refuse(ctx, GatewayError.notFound("model"));
    } else {
      get(ctx, model);
    }
  }

  private static String decoded(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException brokenEscape) {
      return "";
    }
  }

  private void get(RoutingContext ctx, Buffer body) {
    if (!ctx.request().method().equals(HttpMethod.GET)) {
      wrongMethod(ctx, "GET");
      return;
    }
    bodies.drop(ctx.request());
    json(ctx, body);
  }

  private static void json(RoutingContext ctx, Buffer body) {
    HttpServerResponse response = ctx.response();
    if (!response.ended() && !response.closed()) {
      response
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
          .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
          .end(body);
    }
  }

  private void wrongMethod(RoutingContext ctx, String allowed) {
    ctx.response().putHeader(HttpHeaders.ALLOW, allowed);
    refuse(
        ctx,
        new GatewayError(
            GatewayError.Code.METHOD_NOT_ALLOWED, "This path does not know that method."));
  }

  private void refuse(RoutingContext ctx, Throwable refused) {
    if (EdgeErrors.isOurFault(refused)) {
      LOG.error(
          "request failed: request {} cause {}",
          LogFields.request(RequestName.of(ctx)),
          refused.getClass().getName());
    }
    bodies.drop(ctx.request());
    EdgeErrors.respond(ctx.response(), refused);
  }
}
