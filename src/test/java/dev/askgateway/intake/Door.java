package dev.askgateway.intake;

import dev.askgateway.budget.limit.LocalLimiter;
import dev.askgateway.core.StandingDelay;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Traces;
import dev.askgateway.intake.admission.AdmissionConfig;
import dev.askgateway.intake.admission.AdmissionListener;
import dev.askgateway.intake.admission.Admissions;
import dev.askgateway.intake.admission.Everybody;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.edge.EdgeParts;
import dev.askgateway.intake.limit.LimitConfig;
import dev.askgateway.intake.limit.LimitListener;
import dev.askgateway.intake.limit.LimitParts;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.provider.byok.OwnServers;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.relay.RelayListener;
import dev.askgateway.store.BudgetPolicy;
import dev.askgateway.store.BudgetRepository;
import dev.askgateway.store.ChatRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.ThreadRepository;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** A real door on a free port, with fake answers behind it, and a client that speaks plain HTTP. */
final class Door implements AutoCloseable {
  static final String PERSON = "person-1";

  final Vertx vertx = Vertx.vertx();
  final FakeAnswers answers = new FakeAnswers();
  final List<UserId> indexed = new CopyOnWriteArrayList<>();
  final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  AuthConfig auth = new AuthConfig(
      Tokens.SECRET,
      null,
      Tokens.ISSUER,
      Tokens.AUDIENCE,
      Duration.ofSeconds(60),
      Duration.ofSeconds(30),
      Duration.ofMinutes(15));
  IntakeConfig config = config(64 * 1024, List.of());
  Supplier<Future<JsonObject>> jwks = () -> Future.failedFuture("no keys here");
  Map<String, Health.Check> health = Map.of();
  Supplier<String> metrics = () -> "up 1\n";
  Handler<RoutingContext> ingest = ctx -> ctx.request()
      .handler(chunk -> {})
      .endHandler(end -> Replies.data(ctx, 200, new JsonObject()))
      .resume();
  Function<Database, Connections> connections = data -> OwnServers.disabled(vertx, data);
  boolean questions = true;
  BudgetPolicy policy = BudgetPolicy.NONE;
  boolean overageOffered;
  LimitParts limits = new LimitParts(LimitConfig.OFF, new LocalLimiter(), LimitListener.NONE);
  Function<Vertx, EdgeParts> edge = loop -> null;
  String database = "postgresql://nobody:none@127.0.0.1:1/none";
  AdmissionConfig admission = Everybody.CONFIG;
  StandingDelay connectionWaits = new StandingDelay();
  AdmissionListener admissionListener = Everybody.UNHEARD;
  Admissions admissions;
  private IntakeVerticle verticle;
  private String deployment = "";

  static IntakeConfig config(long maxBodyBytes, List<String> origins) {
    return new IntakeConfig(
        "127.0.0.1",
        0,
        1,
        maxBodyBytes,
        Duration.ofSeconds(5),
        8 * 1024,
        4 * 1024,
        Duration.ofSeconds(30),
        Duration.ZERO,
        Duration.ofSeconds(2),
        Duration.ofMinutes(2),
        origins);
  }

  /** Waits for what other threads do, not for ever. */
  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  Door open() {
    admissions = new Admissions(admission, true, true, connectionWaits, () -> 0, admissionListener);
    verticle = new IntakeVerticle(config, auth, InstantSource.system(), parts());
    deployment = await(vertx.deployVerticle(verticle));
    return this;
  }

  void endConnections() {
    verticle.endConnections();
  }

  /** Stops the door as a node that is shut down does. */
  Future<Void> drain() {
    return vertx.undeploy(deployment);
  }

  private Function<Vertx, IntakeParts> parts() {
    return loop -> {
      Database data = new Database(
          loop,
          new StoreConfig(database, database, "ask", "ask_gateway", 4, Duration.ofSeconds(2)));
      RelayConfig relay =
          new RelayConfig(Duration.ofSeconds(10), Duration.ofSeconds(10), RelayConfig.Compat.NONE);
      AskParts ask = new AskParts(
          answers,
          new TurnRepository(data),
          new ThreadRepository(data),
          new ChatRepository(data),
          connections.apply(data),
          ingest,
          user -> {
            indexed.add(user);
            return Future.succeededFuture();
          },
          relay,
          RelayListener.NONE);
      return new IntakeParts(
          questions ? ask : null,
          edge.apply(loop),
          new BudgetParts(new BudgetRepository(data, policy), overageOffered),
          limits,
          admissions,
          relay,
          RelayListener.NONE,
          jwks,
          health,
          JsonObject::new,
          metrics,
          Traces.OFF);
    };
  }

  int port() {
    return verticle.port();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  HttpRequest.Builder signed(String path) {
    return request(path).header("Authorization", "Bearer " + Tokens.hs256(PERSON));
  }

  Answer post(String path, JsonObject body, String... headers) {
    return post(path, body.encode(), headers);
  }

  Answer post(String path, String body, String... headers) {
    HttpRequest.Builder request = signed(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  Answer get(String path, String... headers) {
    HttpRequest.Builder request = signed(path).GET();
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  Answer send(HttpRequest.Builder request) {
    try {
      return new Answer(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** Sends bytes as they are and reads until the server closes, or has said what is waited for. */
  String raw(String bytes, String until) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder said = new StringBuilder();
      byte[] buffer = new byte[4096];
      while (said.indexOf(until) < 0) {
        int read = socket.getInputStream().read(buffer);
        if (read < 0) {
          return said.toString();
        }
        said.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
      }
      return said.toString();
    }
  }

  /** What came back. */
  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String text() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonObject json() {
      return new JsonObject(response.body());
    }

    JsonObject data() {
      return json().getJsonObject("data");
    }

    String code() {
      return json().getString("code");
    }

    /** The field that was refused. */
    String path() {
      return json().getJsonArray("details").getJsonObject(0).getString("path");
    }
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
