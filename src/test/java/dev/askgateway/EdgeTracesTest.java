package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.chaos.ChaosProvider;
import dev.askgateway.provider.chaos.Reply;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Wording;
import dev.askgateway.telemetry.Telemetry;
import dev.askgateway.telemetry.trace.Collector;
import dev.askgateway.telemetry.trace.Recorded;
import dev.askgateway.telemetry.trace.Trace;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway that serves the edge alone. It sends its last spans when it is closed. */
@DisplayName("The traces of the edge")
class EdgeTracesTest {
  private static final Wording OPENAI = Wording.of(Dialect.OPENAI);
  private static final String CHAT = "/v1/chat/completions";
  private static final Reply FAILS = Reply.status(500, "", "{}");
  private static final Reply ANSWERS = Reply.answer(OPENAI, Script.answer("one", " two"));
  private static final String QUESTION =
      "{\"model\": \"both\", \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}";
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir
  private Path folder;

  private final Vertx models = Vertx.vertx();
  private final Collector collector = new Collector();
  private Telemetry telemetry;
  private Vertx vertx;
  private Gateway gateway;

  private void start(Reply first, Reply second, String profile, Map<String, String> more)
      throws IOException {
    Path file = Files.writeString(folder.resolve("edge.yaml"), """
        surfaces: [edge]
        http: {host: 127.0.0.1, port: 0, instances: 1, drainGrace: 0s, drainTimeout: 5s}
        edge: {auth: none, accounting: none}
        providers:
          first: {baseUrl: %s, apiKey: any}
          second: {baseUrl: %s, apiKey: any}
        models:
          a: {provider: first, model: first-1}
          b: {provider: second, model: second-1}
        profiles:
          both: {models: [a, b], %s}
        """.formatted(
            ChaosProvider.listen(models, first).baseUrl(),
            ChaosProvider.listen(models, second).baseUrl(),
            profile));
    Map<String, String> environment = new HashMap<>(more);
    environment.putIfAbsent("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
    GatewayConfig config = ConfigLoader.load(file, environment);
    telemetry = Gateway.telemetry(config);
    vertx = telemetry.vertxBuilder().build();
    gateway = Wait.on(Gateway.start(vertx, telemetry, config));
  }

  @AfterEach
  void close() {
    Wait.on(vertx.close());
    Wait.on(models.close());
    collector.close();
  }

  private HttpResponse<String> ask(String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + gateway.port() + CHAT))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(QUESTION));
    return CLIENT.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  /** The one trace there is, when nothing runs any more. */
  private Trace traced() {
    Wait.on(gateway.close());
    return collector.trace(collector.spans().get(0).traceId());
  }

  @Test
  @DisplayName("have the failed model and the one that stood in for it side by side")
  void failover() throws Exception {
    start(FAILS, ANSWERS, "attempts: 2", Map.of());
    ask();

    Trace trace = traced();
    Recorded request = trace.one("completion.request");
    assertThat(trace.stepsOf(request))
        .containsExactly("hold.take", "model.first_attempt", "model.fallback", "turn.finalize");
    assertThat(trace.one("model.first_attempt").attributes())
        .containsEntry("ask.provider", "first")
        .containsEntry("gen_ai.request.model", "first-1")
        .containsEntry("error.type", "provider_failed");
    assertThat(trace.one("model.fallback").attributes())
        .containsEntry("ask.provider", "second")
        .containsEntry("gen_ai.request.model", "second-1")
        .containsEntry("ask.attempt.outcome", "answered");
    assertThat(request.attribute("ask.profile")).isEqualTo("both");
  }

  @Test
  @DisplayName("have a hedge as a call of its own, and the one it overtook as stopped")
  void hedge() throws Exception {
    start(Reply.of(new Reply.Hold()), ANSWERS, "hedgeAfter: 50ms, hedgeShare: 1", Map.of());
    ask();

    Trace trace = traced();
    assertThat(trace.one("model.first_attempt").attributes())
        .containsEntry("ask.attempt.outcome", "stopped")
        .containsEntry("ask.attempt.hedge", "false");
    assertThat(trace.one("model.first_attempt").isError()).isFalse();
    assertThat(trace.one("model.fallback").attributes())
        .containsEntry("ask.attempt.outcome", "answered")
        .containsEntry("ask.attempt.hedge", "true");
  }

  @Test
  @DisplayName("name service, version and instance, and what the operator says of the process")
  void resource() throws Exception {
    start(
        ANSWERS,
        FAILS,
        "attempts: 1",
        Map.of(
            "OTEL_SERVICE_NAME", "ask",
            "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=a%20test",
            "OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20abc"));
    ask();

    traced();
    assertThat(collector.everything())
        .contains("service.version", "service.instance.id", "\"ask\"", "\"a test\"");
    assertThat(collector.header("authorization")).isEqualTo("Basic abc");
  }

  @Test
  @DisplayName("are none for a client that says so, or beyond the share of requests that is traced")
  void sampled() throws Exception {
    start(ANSWERS, FAILS, "attempts: 1", Map.of("OTEL_TRACES_SAMPLER_ARG", "0"));
    ask();
    ask("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00");
    ask("traceparent", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01");

    Wait.on(gateway.close());
    assertThat(collector.spans()).isNotEmpty().allMatch(span -> span.traceId()
        .equals("0af7651916cd43dd8448eb211c80319c"));
  }

  @Test
  @DisplayName("are lost and counted while the collector is away, and clients do not notice")
  void away() throws Exception {
    collector.close();
    start(ANSWERS, FAILS, "attempts: 1", Map.of());

    assertThat(ask().statusCode()).isEqualTo(200);
    assertThat(ask().body()).contains("one two");

    Wait.on(gateway.close());
    assertThat(telemetry.scrape())
        .contains("ask_spans_sent_total 0.0")
        .doesNotContain("ask_spans_dropped_total{reason=\"collector\"} 0.0");
  }

  @Test
  @DisplayName("are lost and counted when the collector refuses them")
  void refused() throws Exception {
    collector.answers(400);
    start(ANSWERS, FAILS, "attempts: 1", Map.of());

    assertThat(ask().statusCode()).isEqualTo(200);

    Wait.on(gateway.close());
    assertThat(telemetry.scrape())
        .contains("ask_spans_sent_total 0.0")
        .contains("ask_spans_dropped_total{reason=\"collector\"} 5.0")
        .contains("ask_spans_dropped_total{reason=\"queue\"} 0.0");
  }

  @Test
  @DisplayName("are off unless a collector is named")
  void off() throws Exception {
    start(ANSWERS, FAILS, "attempts: 1", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", ""));

    assertThat(ask("traceparent", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01")
            .statusCode())
        .isEqualTo(200);

    Wait.on(gateway.close());
    assertThat(collector.spans()).isEmpty();
    assertThat(telemetry.scrape()).contains("ask_spans_sent_total 0.0");
  }
}
