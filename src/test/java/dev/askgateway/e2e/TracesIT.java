package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.telemetry.trace.Collector;
import dev.askgateway.telemetry.trace.Recorded;
import dev.askgateway.telemetry.trace.Trace;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer is one trace")
class TracesIT {
  private static final String CLIENT_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CLIENT_SPAN = "00f067aa0ba902b7";
  private static final List<String> FOUND = List.of(
      "thread.load",
      "context.plan",
      "context.route",
      "retrieval.embedding",
      "retrieval.lexical",
      "retrieval.vector",
      "evidence.assemble");

  private static Model model;
  private static Collector collector;
  private static Traced traced;
  private static Node node;
  private static Api api;

  @BeforeAll
  static void start() {
    model = new Model();
    collector = new Collector();
    traced = new Traced(collector);
    node = startNode();
    api = Samples.withBooking(node);
    api.awaitIndex();
  }

  private static Node startNode() {
    return Node.start(Traced.to(
        collector,
        model.settings(
            "ASK_MODELS_OPENAI_DEFAULT_STRUCTURED_OUTPUT", "true",
            "ASK_RETRIEVAL_PLANNER_ENABLED", "true")));
  }

  /** A model that failed rests for a while; a node that starts knows nothing of it. */
  @BeforeEach
  void forget() {
    node.close();
    node = startNode();
    api = node.as(api.person());
    model.says(Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE);
  }

  @AfterAll
  static void stop() {
    node.close();
    collector.close();
    model.close();
  }

  private static Trace asked(String text) {
    JsonObject question = Api.question(text);
    api.post(Api.ASK, question);
    return traced.of(question.getString("requestId"));
  }

  @Test
  @DisplayName(
      "under the request that brought it, each step a span of its own, in the trace of its client")
  void normal() {
    JsonObject question = Api.question(Samples.QUESTION);
    Reply reply = Api.send(api.request(Api.ASK)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .header("traceparent", "00-" + CLIENT_TRACE + "-" + CLIENT_SPAN + "-01")
        .POST(BodyPublishers.ofString(question.encode())));
    assertThat(reply.status()).isEqualTo(201);
    Trace trace = traced.of(question.getString("requestId"));

    Recorded http = trace.one("POST /ai/assistant/messages");
    assertThat(http.traceId()).isEqualTo(CLIENT_TRACE);
    assertThat(http.parentId()).isEqualTo(CLIENT_SPAN);
    assertThat(http.attributes())
        .containsOnlyKeys("http.request.method", "http.route", "http.response.status_code")
        .containsEntry("http.response.status_code", "201");

    Recorded request = trace.one("assistant.request");
    assertThat(request.parentId()).isEqualTo(http.id());
    assertThat(request.attributes())
        .containsEntry("ask.profile", "assistant_grounded")
        .containsEntry("ask.route", "recall")
        .containsEntry("ask.evidence.windows", "1")
        .containsEntry("ask.sources", "1")
        .containsEntry("ask.state", "completed")
        .containsEntry("ask.finish_reason", "stop")
        .containsEntry("ask.cost_micro_usd", "180")
        .containsKey("ask.first_output_ms")
        .doesNotContainKey("error.type");
    assertThat(trace.stepsOf(request))
        .containsExactlyInAnyOrderElementsOf(found("model.first_attempt", "turn.finalize"));
    assertThat(trace.spans()).noneMatch(Recorded::isError);
    assertThat(trace.one("retrieval.lexical").attribute("ask.retrieval.hits")).isEqualTo("1");
    assertThat(trace.one("retrieval.embedding").attributes())
        .containsEntry("gen_ai.operation.name", "embeddings")
        .containsEntry("ask.profile", "e5-384");

    Recorded call = trace.one("model.first_attempt");
    assertThat(call.isCall()).isTrue();
    assertThat(call.attributes())
        .containsEntry("gen_ai.operation.name", "chat")
        .containsEntry("gen_ai.provider.name", "openai")
        .containsEntry("gen_ai.request.model", "scripted-1")
        .containsEntry("gen_ai.usage.input_tokens", "120")
        .containsEntry("gen_ai.usage.output_tokens", "30")
        .containsEntry("ask.usage.estimated", "false")
        .containsEntry("ask.provider", "openai")
        .containsEntry("ask.attempt.number", "1")
        .containsEntry("ask.attempt.hedge", "false")
        .containsEntry("ask.attempt.outcome", "answered")
        .containsKeys("ask.attempt.first_token_ms", "ask.attempt.stream_ms")
        .doesNotContainKey("error.type");
  }

  private static List<String> found(String... more) {
    return Stream.concat(FOUND.stream(), Stream.of(more)).toList();
  }

  @Test
  @DisplayName("with a span for each call of a model, the failed one with its cause")
  void failedOver() {
    AtomicInteger calls = new AtomicInteger();
    model.does(exchange -> (calls.incrementAndGet() == 1
            ? ScriptedProvider.status(500, "", "broken " + Words.ANSWER)
            : ScriptedProvider.answer(
                Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE))
        .accept(exchange));

    Trace trace = asked(Samples.QUESTION);

    Recorded request = trace.one("assistant.request");
    assertThat(trace.stepsOf(request))
        .containsExactlyInAnyOrderElementsOf(
            found("model.first_attempt", "model.fallback", "turn.finalize"));
    assertThat(request.attribute("ask.state")).isEqualTo("completed");
    assertThat(request.isError()).isFalse();
    Recorded failed = trace.one("model.first_attempt");
    assertThat(failed.isError()).isTrue();
    assertThat(failed.attributes())
        .containsEntry("error.type", "provider_failed")
        .containsEntry("ask.attempt.failure", "unavailable")
        .containsEntry("ask.attempt.outcome", "failed")
        .doesNotContainKey("ask.attempt.first_token_ms");
    Recorded won = trace.one("model.fallback");
    assertThat(won.isError()).isFalse();
    assertThat(won.attributes())
        .containsEntry("ask.attempt.number", "2")
        .containsEntry("ask.attempt.outcome", "answered");
  }

  @Test
  @DisplayName("and when no model answers it has the code that the client was told")
  void failed() {
    model.does(ScriptedProvider.status(401, "", "{}"));

    Trace trace = asked(Samples.QUESTION);

    Recorded request = trace.one("assistant.request");
    assertThat(request.isError()).isTrue();
    assertThat(request.attributes())
        .containsEntry("ask.state", "failed")
        .containsEntry("error.type", "provider_failed");
    assertThat(trace.one("model.first_attempt").attribute("ask.attempt.failure"))
        .isEqualTo("account");
    Recorded http = trace.one("POST /ai/assistant/messages");
    assertThat(http.isError()).isTrue();
    assertThat(http.attribute("http.response.status_code")).isEqualTo("502");
  }

  @Test
  @DisplayName("without evidence no model is asked")
  void noEvidence() {
    int before = model.requests();

    Trace trace = asked("Who repaired the xylophone of the lighthouse?");

    assertThat(model.requests()).isEqualTo(before);
    Recorded request = trace.one("assistant.request");
    assertThat(trace.stepsOf(request)).containsExactlyInAnyOrderElementsOf(found("turn.finalize"));
    assertThat(request.attributes())
        .containsEntry("ask.evidence.windows", "0")
        .containsEntry("ask.sources", "0")
        .containsEntry("ask.state", "completed");
  }

  @Test
  @DisplayName("the call for its plan is a step of the planning, apart from those for the answer")
  void planned() {
    model.does(
        ScriptedProvider.answer(Model.delta("no plan"), Model.STOP, Model.USAGE, Model.DONE),
        ScriptedProvider.answer(
            Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE));

    Trace trace =
        asked("Which restaurant did Ana book for the anniversary? And who did she tell about it?");

    Recorded planning = trace.one("context.plan");
    assertThat(planning.attribute("ask.planner")).isEqualTo("invalid");
    assertThat(trace.stepsOf(planning)).containsExactly("model.planner");
    assertThat(trace.one("model.planner").attributes())
        .containsEntry("gen_ai.usage.input_tokens", "120")
        .containsEntry("ask.attempt.outcome", "answered");
    assertThat(trace.one("model.first_attempt").parentId())
        .isEqualTo(trace.one("assistant.request").id());
  }

  @Test
  @DisplayName("stopped by its person it is cancelled, and no error")
  void cancelled() {
    model.saysAndWaits(Model.delta("She booked "), Model.delta("Casa"));
    JsonObject question = Api.question(Samples.QUESTION);
    String id = question.getString("requestId");
    EventStream stream = api.stream(question);
    stream.untilText();
    api.cancel(id);
    stream.all();

    Trace trace = traced.of(id);

    Recorded request = trace.one("assistant.request");
    assertThat(request.isError()).isFalse();
    assertThat(request.attribute("ask.state")).isEqualTo("cancelled");
    assertThat(trace.stepsOf(request)).contains("model.first_attempt", "turn.finalize");
    Recorded call = trace.one("model.first_attempt");
    assertThat(call.isError()).isFalse();
    assertThat(call.attributes())
        .containsEntry("ask.attempt.outcome", "stopped")
        .containsEntry("ask.usage.estimated", "true")
        .containsKey("ask.attempt.first_token_ms")
        .doesNotContainKey("error.type");
  }

  @Test
  @DisplayName("and a repeat of its request id is a trace of its own, which says that it joined")
  void repeated() {
    JsonObject question = Api.question(Samples.QUESTION);
    api.post(Api.ASK, question);
    Trace first = traced.of(question.getString("requestId"));
    api.post(Api.ASK, question);

    Await.until("the repeat is traced", () -> collector.spans().stream()
        .anyMatch(span -> span.attribute("ask.request.joined").equals("true")
            && span.attribute("ask.request.id").equals(question.getString("requestId"))
            && !span.traceId().equals(first.spans().get(0).traceId())));
  }

  @Test
  @DisplayName(
      "a completion and a batch of vectors have their calls and their settlement in theirs")
  void edge() {
    Reply chat = api.post("/v1/chat/completions", new JsonObject("""
        {"model": "assistant_grounded", "messages": [{"role": "user", "content": "Hi"}]}"""));
    Reply vectors = api.post("/v1/embeddings", new JsonObject("""
        {"model": "e5-384", "input": ["a fox", "a dog"]}"""));

    Trace completion = traced.of(chat.header("x-request-id"));
    Recorded request = completion.one("completion.request");
    assertThat(request.parentId())
        .isEqualTo(completion.one("POST /v1/chat/completions").id());
    assertThat(completion.stepsOf(request))
        .containsExactly("hold.take", "model.first_attempt", "turn.finalize");
    assertThat(request.attributes())
        .containsEntry("ask.profile", "assistant_grounded")
        .containsEntry("ask.state", "completed")
        .containsEntry("ask.cost_micro_usd", "180");

    Trace batch = traced.of(vectors.header("x-request-id"));
    assertThat(batch.stepsOf(batch.one("embedding.request")))
        .containsExactly("hold.take", "model.first_attempt", "turn.finalize");
    assertThat(batch.one("model.first_attempt").attributes())
        .containsEntry("gen_ai.operation.name", "embeddings")
        .containsEntry("gen_ai.provider.name", "ask.onnx")
        .containsEntry("gen_ai.request.model", "e5-small-v2-q")
        .containsEntry("ask.attempt.outcome", "answered");
  }

  @Test
  @DisplayName("probes, scrapes and the work behind requests have none")
  void onlyRequests() {
    api.get("/health/ready");
    api.get("/metrics");
    asked(Samples.QUESTION);

    assertThat(collector.spans())
        .isNotEmpty()
        .allSatisfy(
            span -> assertThat(span.name()).matches("(GET|POST) /(ai|v1)/.*|[a-z]+\\.[a-z_]+"))
        .filteredOn(span -> span.parentId().isEmpty())
        .allMatch(span -> span.name().contains(" /"));
  }

  @Test
  @DisplayName("the model is not told of it")
  void notPassedOn() {
    asked(Samples.QUESTION);

    assertThat(model.newestHead().toLowerCase(Locale.ROOT))
        .contains("authorization")
        .doesNotContain("traceparent");
  }
}
