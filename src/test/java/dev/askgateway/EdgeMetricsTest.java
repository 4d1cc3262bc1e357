package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.e2e.LogWatch;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.chaos.ChaosProvider;
import dev.askgateway.provider.chaos.Reply;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import dev.askgateway.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway that serves the edge alone, which needs no database. */
@DisplayName("The metrics of the edge")
class EdgeMetricsTest {
  private static final Wording OPENAI = Wording.of(Dialect.OPENAI);
  private static final String CHAT = "/v1/chat/completions";
  private static final Reply FAILS = Reply.status(500, "", "{\"error\":{\"message\":\"SECRET\"}}");
  private static final Reply ANSWERS = Reply.answer(OPENAI, Script.answer("one SECRET", " two"));

  private static final java.net.http.HttpClient SCANNER = java.net.http.HttpClient.newBuilder()
      .version(java.net.http.HttpClient.Version.HTTP_1_1)
      .build();

  @TempDir
  private Path folder;

  private final Telemetry telemetry = new Telemetry(Set.of("first", "second", "dense"));
  private final Vertx vertx = telemetry.vertxBuilder().build();
  private final LogWatch logs = LogWatch.open();
  private final HttpClient client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(8));
  private Gateway gateway;

  @BeforeEach
  @AfterEach
  void nothingOfTheContentIsLogged() {
    logs.isSilentOf(List.of("SECRET"));
  }

  @AfterEach
  void close() {
    logs.close();
    Wait.on(vertx.close());
  }

  private void start(Reply first, Reply second, Reply vectors, String profile) throws IOException {
    Path file = Files.writeString(folder.resolve("edge.yaml"), """
        surfaces: [edge]
        http: {host: 127.0.0.1, port: 0, instances: 1, drainGrace: 0s, drainTimeout: 5s}
        edge: {auth: none, accounting: none}
        providers:
          first: {baseUrl: %s, apiKey: sk-SECRET}
          second: {baseUrl: %s, apiKey: sk-SECRET}
          dense: {baseUrl: %s, apiKey: sk-SECRET}
        models:
          a: {provider: first, model: first-1}
          b: {provider: second, model: second-1}
          c: {provider: dense, model: dense-1, embeddingDimensions: 2}
        profiles:
          both: {models: [a, b], %s}
        """.formatted(
            ChaosProvider.listen(vertx, first).baseUrl(),
            ChaosProvider.listen(vertx, second).baseUrl(),
            ChaosProvider.listen(vertx, vectors).baseUrl(),
            profile));
    GatewayConfig config =
        ConfigLoader.load(file, Map.of("ASK_AUTH_SECRET", "0123456789abcdef0123456789abcdef"));
    gateway = Wait.on(Gateway.start(vertx, telemetry, config));
  }

  private Future<HttpClientResponse> post(String path, JsonObject body) {
    return client
        .request(HttpMethod.POST, gateway.port(), "127.0.0.1", path)
        .compose(
            request -> request.putHeader("Content-Type", "application/json").send(body.toBuffer()));
  }

  private static JsonObject asking(String model) {
    JsonObject question = new JsonObject().put("role", "user").put("content", "Hi SECRET");
    return new JsonObject()
        .put("model", model)
        .put("stream", true)
        .put("messages", new JsonArray().add(question));
  }

  private Buffer answer(String path, JsonObject body) {
    return Wait.on(post(path, body).compose(HttpClientResponse::body));
  }

  /** All that was counted, when nothing runs any more. */
  private String counted() {
    Wait.on(gateway.close());
    return telemetry.scrape();
  }

  @Test
  @DisplayName(
      "count a completion once and each call of a model apart, the cause of a failed one logged")
  void failover() throws IOException {
    List<String> events = new ArrayList<>(OPENAI.events(Script.answer("one SECRET", " two")));
    events.add(1, "data: : keepalive\n\n");
    start(FAILS, Reply.stream(events).then(new Reply.EndBody()), FAILS, "attempts: 2");

    assertThat(answer(CHAT, asking("both")).toString()).contains("[DONE]");

    assertThat(counted())
        .contains("ask_completions_started_total{kind=\"chat\"} 1.0")
        .contains("ask_completions_running{kind=\"chat\"} 0.0")
        .contains(
            "ask_completions_ended_total{code=\"none\",kind=\"chat\",state=\"completed\"} 1.0")
        .contains("ask_completion_seconds_count{kind=\"chat\",state=\"completed\"} 1")
        .contains("ask_completion_first_output_seconds_count 1")
        .contains("ask_answers_started_total 0.0")
        .contains("ask_provider_attempts_total{code=\"provider_failed\",provider=\"first\"} 1.0")
        .contains("ask_provider_attempts_total{code=\"none\",provider=\"second\"} 1.0")
        .contains("ask_provider_first_output_seconds_count{provider=\"first\"} 0")
        .contains("ask_provider_first_output_seconds_count{provider=\"second\"} 1")
        .contains("ask_provider_retries_total{provider=\"first\"} 0.0")
        .contains("ask_provider_retries_total{provider=\"second\"} 1.0")
        .contains("ask_tokens_total{estimated=\"false\",kind=\"input\",provider=\"second\"} 12.0")
        .contains("ask_upstream_data_keepalives_total 1.0")
        .contains("ask_sse_connections 0.0");
    assertThat(logs.lines())
        .filteredOn(line -> line.startsWith("model call failed"))
        .singleElement()
        .asString()
        .matches("model call failed: request [0-9a-f-]{36} attempt 1 provider first model first-1"
            + " after \\d+ ms: UNAVAILABLE: .*500.*");
  }

  @Test
  @DisplayName("count a hedge that won, and the call it overtook as stopped by us")
  void hedged() throws IOException {
    start(Reply.of(new Reply.Hold()), ANSWERS, FAILS, "hedgeAfter: 50ms, hedgeShare: 1");

    answer(CHAT, asking("both"));

    assertThat(counted())
        .contains("ask_provider_hedges_total{provider=\"second\",result=\"won\"} 1.0")
        .contains("ask_provider_hedges_total{provider=\"second\",result=\"lost\"} 0.0")
        .contains("ask_provider_retries_total{provider=\"second\"} 0.0")
        .contains("ask_provider_attempts_total{code=\"cancelled\",provider=\"first\"} 1.0");
  }

  @Test
  @DisplayName("show a stream while it is open and not after its reader has left")
  void openStream() throws IOException {
    Reply endless = Reply.head()
        .then(new Reply.Chunk(
            Buffer.buffer(OPENAI.events(Script.answer("one SECRET").cutAfter(1)).get(1))))
        .then(new Reply.Hold());
    start(endless, FAILS, FAILS, "attempts: 1");

    HttpClientResponse response =
        Wait.on(post(CHAT, asking("both")).map(HttpClientResponse::pause));
    assertThat(telemetry.scrape())
        .contains("ask_sse_connections 1.0")
        .contains("ask_completions_running{kind=\"chat\"} 1.0");
    Wait.on(response.request().connection().close());

    assertThat(counted())
        .contains("ask_sse_connections 0.0")
        .contains("ask_completions_running{kind=\"chat\"} 0.0")
        .contains(
            "ask_completions_ended_total{code=\"none\",kind=\"chat\",state=\"cancelled\"} 1.0");
  }

  @Test
  @DisplayName("count embeddings as what they are, and log why one failed")
  void embeddings() throws IOException {
    start(ANSWERS, ANSWERS, FAILS, "attempts: 1");

    answer("/v1/embeddings", new JsonObject().put("model", "c").put("input", "SECRET"));

    assertThat(counted())
        .contains("ask_completions_started_total{kind=\"embedding\"} 1.0")
        .contains("ask_completions_started_total{kind=\"chat\"} 0.0")
        .contains("ask_completions_running{kind=\"embedding\"} 0.0")
        .contains("ask_completions_ended_total{code=\"provider_failed\",kind=\"embedding\","
            + "state=\"failed\"} 1.0")
        .contains("ask_provider_attempts_total{code=\"provider_failed\",provider=\"dense\"} 1.0");
    assertThat(logs.lines())
        .anyMatch(line -> line.startsWith("model call failed: request ")
            && line.contains(" attempt 1 provider dense model dense-1 after "));
  }

  @Test
  @DisplayName("grow by no series when 10,000 names of models are tried")
  void boundedSeries() throws IOException {
    start(ANSWERS, ANSWERS, FAILS, "attempts: 1");
    names(0, 100);
    answer(CHAT, asking("both"));
    long before = series();
    for (int from = 100; from < 10_000; from += 100) {
      names(from, from + 100);
    }
    assertThat(series()).isEqualTo(before);
    assertThat(counted()).doesNotContain("made-up");
  }

  private void names(int from, int to) {
    List<CompletableFuture<Integer>> statuses = IntStream.range(from, to)
        .mapToObj(
            i -> HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + CHAT))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(asking("made-up-" + i).encode()))
                .build())
        .map(request -> SCANNER
            .sendAsync(request, HttpResponse.BodyHandlers.discarding())
            .thenApply(HttpResponse::statusCode))
        .toList();
    assertThat(statuses)
        .allSatisfy(
            status -> assertThat(status.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(404));
  }

  private long series() {
    return telemetry.scrape().lines().filter(line -> line.startsWith("ask_")).count();
  }
}
