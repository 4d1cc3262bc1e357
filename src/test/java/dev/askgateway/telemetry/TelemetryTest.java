package dev.askgateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.telemetry.CompletionMeters.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The metrics")
class TelemetryTest {
  private final Telemetry telemetry = new Telemetry(Set.of("openai", "extractive"));

  @Test
  @DisplayName("count answers by state and code, and those still running")
  void answers() {
    for (int i = 0; i < 3; i++) {
      telemetry.answerStarted();
    }
    telemetry.answerEnded(TurnState.COMPLETED, null, Duration.ofMillis(700));
    telemetry.answerEnded(
        TurnState.FAILED, GatewayError.Code.PROVIDER_TIMEOUT, Duration.ofSeconds(60));

    assertThat(telemetry.scrape())
        .contains("ask_answers_started_total 3.0")
        .contains("ask_answers_running 1.0")
        .contains("ask_answers_ended_total{code=\"none\",state=\"completed\"} 1.0")
        .contains("ask_answers_ended_total{code=\"provider_timeout\",state=\"failed\"} 1.0")
        .contains("ask_answer_seconds_bucket{state=\"completed\",le=\"0.5\"} 0")
        .contains("ask_answer_seconds_bucket{state=\"completed\",le=\"1.0\"} 1");
  }

  @Test
  @DisplayName("show the time to the first status and to the first text")
  void latencies() {
    telemetry.firstStatus(Duration.ofMillis(40));
    telemetry.firstText(Duration.ofMillis(1400));
    assertThat(telemetry.scrape())
        .contains("ask_first_status_seconds_bucket{le=\"0.025\"} 0")
        .contains("ask_first_status_seconds_bucket{le=\"0.05\"} 1")
        .contains("ask_first_text_seconds_bucket{le=\"1.0\"} 0")
        .contains("ask_first_text_seconds_bucket{le=\"1.5\"} 1");
  }

  @Test
  @DisplayName("count attempts, tokens and cost by provider")
  void providers() {
    telemetry.models().attempted("openai", null);
    telemetry.models().attempted("openai", GatewayError.Code.PROVIDER_TRUNCATED);
    telemetry.models().tokens("openai", new Usage(100, 20, 3, 40, 5, false));
    telemetry.models().cost("openai", 1234);
    assertThat(telemetry.scrape())
        .contains("ask_provider_attempts_total{code=\"none\",provider=\"openai\"} 1.0")
        .contains(
            "ask_provider_attempts_total{code=\"provider_truncated\",provider=\"openai\"} 1.0")
        .contains("ask_tokens_total{estimated=\"false\",kind=\"input\",provider=\"openai\"} 100.0")
        .contains(
            "ask_tokens_total{estimated=\"false\",kind=\"cache_read\",provider=\"openai\"} 20.0")
        .contains(
            "ask_tokens_total{estimated=\"false\",kind=\"cache_write\",provider=\"openai\"} 3.0")
        .contains("ask_tokens_total{estimated=\"false\",kind=\"output\",provider=\"openai\"} 40.0")
        .contains(
            "ask_tokens_total{estimated=\"false\",kind=\"reasoning\",provider=\"openai\"} 5.0")
        .contains("ask_cost_micro_usd_total{provider=\"openai\"} 1234.0");
  }

  @Test
  @DisplayName("count completions and embeddings by kind, apart from answers")
  void completions() {
    CompletionMeters meters = telemetry.completions();
    for (int i = 0; i < 3; i++) {
      meters.started(Kind.CHAT);
    }
    meters.started(Kind.EMBEDDING);
    meters.firstOutput(Duration.ofMillis(400));
    meters.ended(Kind.CHAT, TurnState.COMPLETED, null, Duration.ofMillis(700));
    meters.ended(
        Kind.CHAT, TurnState.FAILED, GatewayError.Code.PROVIDER_TIMEOUT, Duration.ofSeconds(7));
    meters.ended(Kind.EMBEDDING, TurnState.COMPLETED, null, Duration.ofMillis(30));
    assertThat(telemetry.scrape())
        .contains("ask_completions_started_total{kind=\"chat\"} 3.0")
        .contains("ask_completions_started_total{kind=\"embedding\"} 1.0")
        .contains("ask_completions_running{kind=\"chat\"} 1.0")
        .contains("ask_completions_running{kind=\"embedding\"} 0.0")
        .contains(
            "ask_completions_ended_total{code=\"none\",kind=\"chat\",state=\"completed\"} 1.0")
        .contains("ask_completions_ended_total{code=\"provider_timeout\",kind=\"chat\","
            + "state=\"failed\"} 1.0")
        .contains("ask_completion_seconds_bucket{kind=\"chat\",state=\"completed\",le=\"0.5\"} 0")
        .contains("ask_completion_seconds_bucket{kind=\"chat\",state=\"completed\",le=\"1.0\"} 1")
        .contains("ask_completion_first_output_seconds_bucket{le=\"0.25\"} 0")
        .contains("ask_completion_first_output_seconds_bucket{le=\"0.5\"} 1")
        .contains("ask_answers_started_total 0.0")
        .contains("ask_answers_running 0.0");
  }

  @Test
  @DisplayName("count retries and hedges and time the first output by provider")
  void attempts() {
    ModelMeters meters = telemetry.models();
    meters.retried("openai");
    meters.hedged("openai", true);
    meters.hedged("openai", false);
    meters.hedged("openai", false);
    meters.firstOutput("openai", Duration.ofMillis(700).toNanos());
    meters.retried("mine");
    assertThat(telemetry.scrape())
        .contains("ask_provider_retries_total{provider=\"openai\"} 1.0")
        .contains("ask_provider_retries_total{provider=\"other\"} 1.0")
        .contains("ask_provider_hedges_total{provider=\"openai\",result=\"won\"} 1.0")
        .contains("ask_provider_hedges_total{provider=\"openai\",result=\"lost\"} 2.0")
        .contains("ask_provider_first_output_seconds_bucket{provider=\"openai\",le=\"0.5\"} 0")
        .contains("ask_provider_first_output_seconds_bucket{provider=\"openai\",le=\"1.0\"} 1");
  }

  @Test
  @DisplayName("show what waits for a connection to a configured server, all others as one")
  void pools() throws Exception {
    Vertx vertx = telemetry.vertxBuilder().build();
    try {
      HttpServer server = await(vertx
          .createHttpServer()
          .requestHandler(request -> {
            if (!request.path().equals("/hold")) {
              request.response().end();
            }
          })
          .listen(0));
      int port = server.actualPort();
      telemetry.upstreams(Set.of("127.0.0.1:" + port));
      HttpClient client =
          vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(1).setMaxWaitQueueSize(-1));
      await(askAt(client, port, 1, "/"));
      await(askAt(client, port, 2, "/"));
      long before = series(telemetry.scrape());
      for (int i = 3; i < 200; i++) {
        await(askAt(client, port, i, "/"));
      }
      assertThat(series(telemetry.scrape())).isEqualTo(before);
      for (int i = 0; i < 9; i++) {
        askAt(client, port, 1 + i % 3, "/hold");
      }
      await(askAt(client, port, 4, "/"));
      assertThat(telemetry.scrape())
          .doesNotContain("127.0.0.2:")
          .contains("vertx_pool_queue_pending{pool_name=\"127.0.0.1:" + port
              + "\",pool_type=\"http\"} 2.0")
          .contains("vertx_pool_queue_pending{pool_name=\"other\",pool_type=\"http\"} 4.0");
    } finally {
      await(vertx.close());
    }
  }

  /** This machine by one of its many addresses. */
  private static Future<Void> askAt(HttpClient client, int port, int address, String path) {
    return client
        .request(HttpMethod.GET, port, "127.0.0." + address, path)
        .compose(request -> request.send().compose(HttpClientResponse::body))
        .mapEmpty();
  }

  @Test
  @DisplayName("show streams, Redis, imports, retrieval and the index queue")
  void rest() {
    telemetry.sseOpened();
    telemetry.sseOpened();
    telemetry.sseClosed();
    telemetry.writeDeadlinePassed();
    telemetry.grounding().marksDropped(3);
    telemetry.redisDegraded(true);
    telemetry.ingested(Telemetry.Ingested.UNCHANGED, 7);
    telemetry.legFailed(Telemetry.Leg.VECTOR);
    telemetry.retrieved(0);
    telemetry.index().backlog(42);
    assertThat(telemetry.scrape())
        .contains("ask_sse_connections 1.0")
        .contains("ask_sse_write_deadline_total 1.0")
        .contains("ask_citation_marks_dropped_total 3.0")
        .contains("ask_redis_degraded 1.0")
        .contains("ask_ingest_lines_total{outcome=\"unchanged\"} 7.0")
        .contains("ask_retrieval_legs_failed_total{leg=\"vector\"} 1.0")
        .contains("ask_retrieval_windows_total{windows=\"0\"} 1.0")
        .contains("ask_index_queue 42.0");
    telemetry.redisDegraded(false);
    assertThat(telemetry.scrape()).contains("ask_redis_degraded 0.0");
  }

  @Test
  @DisplayName(
      "read what waits for the embedding model, and what was searched twice, at each scrape")
  void read() {
    AtomicInteger depth = new AtomicInteger(2);
    telemetry.embeddingQueues(depth::get, () -> 70);
    telemetry.exactFallbacks(depth::get);
    telemetry.dataKeepAlives(depth::get);
    telemetry.inputsBounded(depth::get);
    assertThat(telemetry.scrape())
        .contains("ask_embedding_queue{kind=\"question\"} 2.0")
        .contains("ask_embedding_queue{kind=\"passage\"} 70.0")
        .contains("ask_inputs_bounded_total 2.0")
        .contains("ask_retrieval_exact_fallbacks_total 2.0");
    depth.set(5);
    System.gc(); // what a gauge reads must outlive whoever handed it in
    assertThat(telemetry.scrape())
        .contains("ask_embedding_queue{kind=\"question\"} 5.0")
        .contains("ask_retrieval_exact_fallbacks_total 5.0")
        .contains("ask_upstream_data_keepalives_total 5.0");
  }

  @Test
  @DisplayName("say of each model in which of the states it is, at each scrape")
  void health() {
    Map<String, String> states = new ConcurrentHashMap<>(Map.of("a:one", "up", "b:two", "down"));
    telemetry.models().health(List.of("a:one", "b:two"), List.of("up", "down"), states::get);
    assertThat(telemetry.scrape())
        .contains("ask_model_health{model=\"a:one\",state=\"up\"} 1.0")
        .contains("ask_model_health{model=\"a:one\",state=\"down\"} 0.0")
        .contains("ask_model_health{model=\"b:two\",state=\"down\"} 1.0");
    states.put("b:two", "up");
    System.gc();
    assertThat(telemetry.scrape())
        .contains("ask_model_health{model=\"b:two\",state=\"up\"} 1.0")
        .contains("ask_model_health{model=\"b:two\",state=\"down\"} 0.0");
  }

  @Test
  @DisplayName("make no series of what a request can choose: a model, a provider, a person")
  void unknownNamesAreOne() {
    telemetry.models().attempted("x", null);
    telemetry.models().tokens("x", Usage.estimate(10, 10));
    telemetry.models().cost("x", 1);
    telemetry.retrieved(4);
    long before = series(telemetry.scrape());
    Random random = new Random(11);
    for (int i = 0; i < 10_000; i++) {
      String name = "model-" + random.nextInt();
      telemetry.models().attempted(name, null);
      telemetry.models().tokens(name, Usage.estimate(10, 10));
      telemetry.models().cost(name, 1);
      telemetry.models().retried(name);
      telemetry.models().hedged(name, i % 2 == 0);
      telemetry.models().firstOutput(name, i);
      telemetry.retrieved(4 + random.nextInt(100));
    }
    assertThat(series(telemetry.scrape())).isEqualTo(before);
  }

  @Test
  @DisplayName("make no series of 10,000 paths and as many methods tried over HTTP")
  void pathsMakeNoSeries() throws Exception {
    Vertx vertx = telemetry.vertxBuilder().build();
    try {
      HttpServer server = await(vertx
          .createHttpServer()
          .requestHandler(request -> request.response().setStatusCode(404).end())
          .listen(0));
      HttpClient client =
          vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(8).setMaxWaitQueueSize(-1));
      await(scan(client, server.actualPort(), 0, 500));
      long before = series(httpSeries());
      assertThat(before).isPositive();
      for (int from = 500; from < 10_000; from += 500) {
        await(scan(client, server.actualPort(), from, from + 500));
      }
      assertThat(series(httpSeries())).isEqualTo(before);
      assertThat(telemetry.scrape())
          .doesNotContain("scan-")
          .doesNotContain("VERB")
          .contains("vertx_http_server_requests_total{code=\"404\"} 10000.0");
    } finally {
      await(vertx.close());
    }
  }

  private static Future<?> scan(HttpClient client, int port, int from, int to) {
    return Future.all(
        IntStream.range(from, to).mapToObj(i -> ask(client, port, i)).toList());
  }

  private static Future<Void> ask(HttpClient client, int port, int number) {
    return client
        .request(new RequestOptions()
            .setMethod(HttpMethod.valueOf("VERB" + number))
            .setHost("localhost")
            .setPort(port)
            .setURI("/scan-" + number))
        .compose(request -> request.send().compose(HttpClientResponse::body))
        .mapEmpty();
  }

  private String httpSeries() {
    StringBuilder found = new StringBuilder();
    telemetry.scrape().lines().filter(line -> line.startsWith("vertx_http_")).forEach(line -> found
        .append(line)
        .append('\n'));
    return found.toString();
  }

  private static long series(String scrape) {
    return scrape.lines().filter(line -> !line.startsWith("#")).count();
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("of two gateways in one process stay apart")
  void twoGateways() throws Exception {
    Telemetry other = new Telemetry(Set.of());
    Vertx first = telemetry.vertxBuilder().build();
    Vertx second = other.vertxBuilder().build();
    try {
      HttpServer server = await(second
          .createHttpServer()
          .requestHandler(request -> request.response().end())
          .listen(0));
      await(ask(second.createHttpClient(), server.actualPort(), 1));
      assertThat(httpSeries()).doesNotContain("vertx_http_server");
      assertThat(other.scrape()).contains("vertx_http_server");
    } finally {
      await(first.close().eventually(second::close));
    }
  }
}
