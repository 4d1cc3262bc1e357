package dev.askgateway.demo;

import dev.askgateway.Gateway;
import dev.askgateway.cli.DevToken;
import dev.askgateway.cli.OwnVertx;
import dev.askgateway.cli.Server;
import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.core.UserId;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.devservices.DevServicesOptions;
import dev.askgateway.store.Migrations;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the demo: services, schema, gateway, sample conversations. */
final class DemoRun implements AutoCloseable {
  private static final Path FOLDER = Path.of("target", "demo");
  private static final Duration TOKEN_TTL = Duration.ofDays(30);
  private static final String QUESTION = "I made plans on Saturday, with whom?";

  /** How long a stop waits for a start under way, so that nothing is started behind its back. */
  private static final Duration START_PATIENCE = Duration.ofSeconds(20);

  private final DemoOptions options;
  private final Consumer<String> say;
  private final CountDownLatch settled = new CountDownLatch(1);
  private volatile boolean stopping;
  private volatile @Nullable ScriptedModel model;
  private volatile @Nullable DevServices services;
  private volatile Server.@Nullable Running gateway;

  DemoRun(DemoOptions options, Consumer<String> say) {
    this.options = options;
    this.say = say;
  }

  /** Returns once questions are answered. A {@link #close} meanwhile makes it fail as soon as it can. */
  void start() throws Exception {
    try {
      open();
    } finally {
      settled.countDown();
    }
  }

  private void open() throws Exception {
    requireFree(options.port());
    if (options.scripted()) {
      model = ScriptedModel.listen();
    }
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    String secret = HexFormat.of().formatHex(random);
    // What is wrong with the settings is said before anything is started for them.
    ConfigLoader.load(
        null, environment("postgresql://demo:demo@127.0.0.1/demo", "redis://127.0.0.1", secret));
    DevServices started =
        DevServices.start(DevServicesOptions.fromEnvironment().closedByCaller(), say);
    services = started;
    requireWanted();
    GatewayConfig config = ConfigLoader.load(
        null, environment(started.freshDatabase("demo"), started.redisUrl(), secret));
    say.accept("Schema: " + new Migrations(config.database().orElseThrow().store()).migrate()
        + " migrations");
    List<String> models =
        config.models().catalogue().profiles().get("assistant_grounded").models();
    say.accept(answers(models));
    Telemetry telemetry = Gateway.telemetry(config);
    gateway = await(OwnVertx.start(
        telemetry.vertxBuilder().build(), vertx -> Gateway.start(vertx, telemetry, config)));
    requireWanted();
    List<String> tokens = tokens(config);
    new DemoPeople(base(), say).welcome(tokens, this::requireWanted);
    tell(secret, tokens);
  }

  private String answers(List<String> models) {
    if (options.scripted()) {
      return "Answers: always the same ones, of a scripted model";
    }
    return models.contains("quote")
        ? "Answers: quoted from the messages (set OPENAI_BASE_URL, OPENAI_API_KEY and"
            + " OPENAI_MODEL to have them written)"
        : "Answers: written by " + String.join(", else ", models);
  }

  /** Why there can be no demo, in one sentence for the person at the terminal. */
  static final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unusable(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }

  boolean isStopping() {
    return stopping;
  }

  private void requireWanted() {
    if (stopping) {
      throw new Unusable("The demo was stopped while it started.", null);
    }
  }

  private static void requireFree(int port) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), port));
    } catch (BindException taken) {
      throw new Unusable(
          "Port " + port + " is taken: free it, or choose another with -Dport=PORT.", taken);
    }
  }

  private Map<String, String> environment(String database, String redis, String secret) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    ScriptedModel scripted = model;
    if (scripted != null) {
      environment.putAll(scripted.environment());
    }
    environment.put("DATABASE_URL", database);
    environment.put("DATABASE_MIGRATION_URL", database);
    environment.put("REDIS_URL", redis);
    environment.put("ASK_HTTP_HOST", "127.0.0.1");
    environment.put("ASK_HTTP_PORT", Integer.toString(options.port()));
    environment.put("ASK_AUTH_SECRET", secret);
    environment.putIfAbsent("ASK_RECONCILE_INTERVAL", "10s");
    environment.putIfAbsent("ASK_HTTP_DRAIN_GRACE", "0s"); // no balancer has to find out
    environment.putIfAbsent("ASK_HTTP_DRAIN_TIMEOUT", "10s");
    environment.remove("PORT");
    return environment;
  }

  /** One for {@code demo}, then one for {@code demo-2} and so on. */
  private List<String> tokens(GatewayConfig config) throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      List<String> tokens = new ArrayList<>();
      for (int i = 1; i <= options.persons(); i++) {
        UserId person = new UserId(i == 1 ? "demo" : "demo-" + i);
        tokens.add(DevToken.sign(vertx, config.auth(), person, TOKEN_TTL));
      }
      return tokens;
    } finally {
      await(vertx.close());
    }
  }

  private String base() {
    return "http://127.0.0.1:" + options.port();
  }

  private void tell(String secret, List<String> tokens) throws IOException {
    String token = tokens.get(0);
    String curl =
        "curl -sN %s/ai/assistant/messages -H 'Authorization: Bearer %s' -H 'Accept: text/event-stream' -H 'Content-Type: application/json' -d '{\"question\":\"%s\"}'"
            .formatted(base(), token, QUESTION);
    Files.createDirectories(FOLDER);
    write("token", token);
    write("tokens", String.join("\n", tokens));
    write("secret", secret);
    write("curl.txt", curl);
    say.accept("ready " + base() + " token " + token + " try: " + curl);
  }

  private static void write(String name, String text) throws IOException {
    Path file = FOLDER.resolve(name);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text + "\n", StandardCharsets.UTF_8);
  }

  /** Stops what was started, in the reverse order; what fails is not in the way of the rest. */
  @Override
  public void close() {
    stopping = true;
    try {
      settled.await(START_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    Server.Running running = gateway;
    if (running != null) {
      try {
        await(running.close());
      } catch (Exception late) {
        say.accept("The gateway did not stop cleanly.");
      }
    }
    DevServices started = services;
    if (started != null) {
      started.close();
    }
    ScriptedModel scripted = model;
    if (scripted != null) {
      scripted.close();
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get(2, TimeUnit.MINUTES);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    } catch (TimeoutException late) {
      throw new IOException("it took longer than two minutes", late);
    }
  }
}
