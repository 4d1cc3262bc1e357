package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import dev.askgateway.devservices.DevServicesOptions;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.ScriptedProvider.Request;
import dev.askgateway.provider.Wait;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.ReconcileRepository;
import dev.askgateway.store.ReconcileRepository.Report;
import dev.askgateway.store.StoreConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two gateways, their Redis and their PostgreSQL are killed in turn under load; how many requests is set
 * with {@code -Dkill.requests}.
 */
@DisplayName("When gateways, Redis and PostgreSQL are killed in turn")
class KillIT {
  private static final int REQUESTS = Integer.getInteger("kill.requests", 120);
  private static final int KILLS = Math.max(4, REQUESTS / 100);
  private static final int CLIENTS = 16;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern NUMBER = Pattern.compile("request (\\d+)\\.");

  private final Map<Integer, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicInteger> refusals = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
  private final AtomicInteger over = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();
  private final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(Duration.ofSeconds(2))
      .build();

  @Test
  @DisplayName("no request is paid twice, no hold stays, and all that is written of money agrees")
  void kills() throws Exception {
    Vertx vertx = Vertx.vertx();
    ScriptedProvider[] model = new ScriptedProvider[1];
    model[0] = ScriptedProvider.listen(vertx, exchange -> answer(vertx, model[0], exchange));
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    DevServicesOptions own = new DevServicesOptions(
        Optional.empty(),
        Optional.empty(),
        false,
        DevServicesOptions.fromEnvironment().cache(),
        false);
    try (DevServices services = DevServices.start(own, line -> {})) {
      String url = services.freshDatabase("kill");
      StoreConfig store = new StoreConfig(url, url, "ask", "ask_gateway", 2, Duration.ofSeconds(5));
      new Migrations(store).migrate();
      Map<String, String> settings = settings(url, services.redisUrl(), model[0].baseUrl());
      try (GatewayProcess a = new GatewayProcess(settings, Path.of("target", "kill-a.log"));
          GatewayProcess b = new GatewayProcess(settings, Path.of("target", "kill-b.log"))) {
        until("both gateways are up", () -> supervised(a, b) && a.isUp() && b.isUp());
        Random random = new Random(7);
        for (int i = 0; i < REQUESTS; i++) {
          int number = i;
          long seed = random.nextLong();
          clients.execute(() -> send(number, List.of(a, b), new Random(seed)));
        }
        for (int kill = 0; kill < KILLS; kill++) {
          int due = REQUESTS * (kill + 1) / (KILLS + 1);
          until("enough requests are over", () -> supervised(a, b) && over.get() >= due);
          kill(kill % 4, a, b, services, url);
        }
        until("all requests are over", () -> supervised(a, b) && over.get() == REQUESTS);
        until("both gateways are up", () -> supervised(a, b) && a.isUp() && b.isUp());
        until(
            "no hold is open",
            () ->
                number(url, "SELECT count(*) FROM ask.answer_requests WHERE hold_state = 'pending'")
                    == 0);
      }
      check(vertx, url, store);
    } finally {
      clients.shutdownNow();
      Wait.on(vertx.close());
    }
  }

  private static boolean supervised(GatewayProcess a, GatewayProcess b) {
    a.supervise();
    b.supervise();
    return true;
  }

  private static Map<String, String> settings(String database, String redis, String model) {
    Map<String, String> settings = new HashMap<>();
    settings.put("DATABASE_URL", database);
    settings.put("DATABASE_MIGRATION_URL", database);
    settings.put("REDIS_URL", redis);
    settings.put("ASK_SURFACES", "edge");
    settings.put("ASK_ANSWER_LEASE", "3s");
    settings.put("ASK_ANSWER_SWEEP_INTERVAL", "200ms");
    settings.put("ASK_RECONCILE_INTERVAL", "1s");
    settings.put("ASK_LIMITS_ASK_PER_MINUTE", "1000000");
    settings.put("ASK_LIMITS_ASK_BURST", "100000");
    settings.put("ASK_LIMITS_ASK_CONCURRENT", "1000");
    settings.put("OPENAI_BASE_URL", model);
    settings.put("OPENAI_API_KEY", Words.API_KEY);
    settings.put("OPENAI_MODEL", "scripted-1");
    settings.put("ASK_PRICES_ID", "scripted");
    settings.put("ASK_PRICES_VALID_FROM", "2026-01-02");
    settings.put("ASK_MODELS_OPENAI_DEFAULT_PRICE_INPUT", "1000000");
    settings.put("ASK_MODELS_OPENAI_DEFAULT_PRICE_OUTPUT", "2000000");
    return settings;
  }

  /** On the model's loop: one of ten calls is refused, the others take some milliseconds. */
  private void answer(Vertx vertx, ScriptedProvider model, Exchange exchange) {
    List<Request> requests = model.requests();
    Matcher number = NUMBER.matcher(requests.get(requests.size() - 1).body());
    assertThat(number.find()).isTrue();
    int request = Integer.parseInt(number.group(1));
    int call = calls.computeIfAbsent(request, first -> new AtomicInteger()).incrementAndGet();
    if (request % 10 == 3 && call == 1) {
      refusals.put(request, new AtomicInteger(1));
      ScriptedProvider.status(500, "", "{}").accept(exchange);
      return;
    }
    exchange.write(ScriptedProvider.HEAD);
    exchange.chunk(Model.delta("The answer"));
    vertx.setTimer(5 + request % 40, later -> {
      exchange.chunk(Model.delta(" is there.") + Model.STOP + Model.USAGE + Model.DONE);
      exchange.endBody();
    });
  }

  /** Sends it under its key until some gateway answers; some are sent twice, some clients leave. */
  private void send(int number, List<GatewayProcess> gateways, Random random) {
    try {
      GatewayProcess gateway = gateways.get(random.nextInt(2));
      if (random.nextInt(5) == 0) {
        GatewayProcess other = gateways.get(gateways.indexOf(gateway) ^ 1);
        http.sendAsync(request(number, other), BodyHandlers.ofString());
      }
      if (random.nextInt(7) == 0) {
        CompletableFuture<HttpResponse<String>> leaves =
            http.sendAsync(request(number, gateway), BodyHandlers.ofString());
        int before = calls.size();
        until(
            "something goes on",
            () -> calls.containsKey(number)
                || calls.size() > before + 3
                || leaves.isDone()
                || over.get() + CLIENTS >= REQUESTS);
        leaves.cancel(true);
        left.incrementAndGet();
        return;
      }
      while (!answered(number, gateways.get(random.nextInt(2)))) {
        LockSupport.parkNanos(20_000_000); // as a client waits before it tries again
      }
    } finally {
      over.incrementAndGet();
    }
  }

  /** Anything but "not available now" is an answer, and so is a failure that was kept. */
  private boolean answered(int number, GatewayProcess gateway) {
    try {
      HttpResponse<String> response =
          http.sendAsync(request(number, gateway), BodyHandlers.ofString()).join();
      int status = response.statusCode();
      statuses.computeIfAbsent(status, first -> new AtomicInteger()).incrementAndGet();
      return status < 500
          || response.headers().firstValue("Idempotent-Replayed").isPresent();
    } catch (RuntimeException broken) {
      return false;
    }
  }

  private static HttpRequest request(int number, GatewayProcess gateway) {
    JsonObject body = new JsonObject()
        .put("model", "assistant_grounded")
        .put("stream", number % 2 == 0)
        .put("max_tokens", 100)
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject()
                    .put("role", "user")
                    .put("content", "request " + number + ".")));
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + gateway.port() + "/v1/chat/completions"))
        .timeout(Duration.ofSeconds(20))
        .header("Authorization", "Bearer " + new Person("kill-" + number % 8).token())
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", "key-" + number)
        .POST(HttpRequest.BodyPublishers.ofString(body.encode()))
        .build();
  }

  private static void kill(
      int which, GatewayProcess a, GatewayProcess b, DevServices services, String url) {
    switch (which) {
      case 0 -> a.killAndStart();
      case 1 -> b.killAndStart();
      case 2 -> {
        services.stopRedis();
        services.startRedis();
      }
      default -> killPostgres(url);
    }
  }

  /** One server process is killed, and PostgreSQL ends all of them and recovers from its log. */
  private static void killPostgres(String url) {
    long pid = number(
        url,
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
            + " AND pid <> pg_backend_pid() AND application_name = 'ask-gateway' LIMIT 1");
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
    until("PostgreSQL answers again", () -> number(url, "SELECT 1") == 1);
  }

  private void check(Vertx vertx, String url, StoreConfig store) {
    Report report = Wait.on(new ReconcileRepository(Database.ofOwner(vertx, store))
        .report(20, ReconcileRepository.LAPSED));
    long billed =
        number(url, "SELECT sum(billable_cost_micro_usd)::bigint FROM ask.ai_usage_events");
    long priced = number(
        url,
        "SELECT sum(input_tokens + 2 * output_tokens)::bigint FROM"
            + " ask.ai_usage_events WHERE billable_cost_micro_usd > 0");
    long interrupted =
        number(url, "SELECT count(*) FROM ask.answer_requests WHERE hold_state = 'expired'");
    System.out.println("[kill] requests " + REQUESTS + ", kills " + KILLS + ", clients that left "
        + left + ", statuses " + statuses + "; begun " + report.requests() + ", swept "
        + interrupted + ", model calls "
        + calls.values().stream().mapToInt(AtomicInteger::get).sum() + ", refused "
        + refusals.size() + ", billed " + billed + ", priced " + priced + ", differences "
        + report.count() + ", open holds " + report.openHolds());
    assertThat(report.differences()).isEmpty();
    assertThat(report.openHolds()).isZero();
    assertThat(report.requests()).isPositive();
    assertThat(billed).isPositive().isEqualTo(priced);
    assertThat(statuses).containsKey(200);
    calls.forEach((request, count) -> assertThat(count.get())
        .as("calls of the model for request %s", request)
        .isLessThanOrEqualTo(refusals.containsKey(request) ? 2 : 1));
  }

  private static long number(String url, String sql) {
    StoreConfig.Address address = StoreConfig.Address.of("url", url);
    try (Connection owner =
            DriverManager.getConnection(address.jdbc(), address.user(), address.password());
        Statement statement = owner.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException away) {
      return -1;
    }
  }

  private static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
