package dev.askgateway.provider.check;

import static dev.askgateway.provider.check.Result.Status.FAILED;
import static dev.askgateway.provider.check.Result.Status.PASSED;
import static dev.askgateway.provider.check.Result.Status.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.anthropic.AnthropicProvider;
import dev.askgateway.provider.check.ScriptedModel.Question;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.openai.OpenAiProvider;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(VertxExtension.class)
class ContractCheckTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final Deadlines DEADLINES = deadlines(15_000);
  private static final Capabilities ALL =
      new Capabilities(2_000, 1_000, true, true, false, true, false, 0);

  private static final String START = data("{\"type\":\"message_start\",\"message\":{\"id\":\"m\","
      + "\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}");
  private static final String END = data("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
          + "\"end_turn\"},\"usage\":{\"output_tokens\":15}}")
      + data("{\"type\":\"message_stop\"}");

  private static final Map<Question, Consumer<Exchange>> GOOD = Map.of(
      Question.LONG, said("one SECRET", " two", " three"),
      Question.STRUCTURED, called("answer", "{\"answer\":\"SECRET\"}"),
      Question.TOOL, called(Questions.TOOL, "{\"city\":\"SECRET\"}"),
      Question.TOO_LONG, refused(400, "invalid_request_error", "prompt is too long: SECRET"));

  private static Deadlines deadlines(long totalMillis) {
    Duration total = Duration.ofMillis(totalMillis);
    return new Deadlines(Duration.ofSeconds(5), Duration.ofSeconds(15), total, total, total);
  }

  private static String data(String json) {
    return "data: " + json + "\n\n";
  }

  private static String delta(String member) {
    return data("{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{" + member + "}}");
  }

  private static Consumer<Exchange> said(String... pieces) {
    StringBuilder body = new StringBuilder(START);
    for (String piece : pieces) {
      body.append(delta("\"type\":\"text_delta\",\"text\":\"" + piece + "\""));
    }
    return ScriptedProvider.answer(body + END);
  }

  private static Consumer<Exchange> called(String tool, String input) {
    return ScriptedProvider.answer(START
        + data("{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":"
            + "\"tool_use\",\"id\":\"t\",\"name\":\"" + tool + "\",\"input\":{}}}")
        + delta("\"type\":\"input_json_delta\",\"partial_json\":\"" + input.replace("\"", "\\\"")
            + "\"")
        + data("{\"type\":\"content_block_stop\",\"index\":0}")
        + END);
  }

  private static Consumer<Exchange> refused(int status, String type, String message) {
    return ScriptedProvider.status(
        status, "", "{\"error\":{\"type\":\"" + type + "\",\"message\":\"" + message + "\"}}");
  }

  private static ModelConfig config(Capabilities capabilities) {
    return new ModelConfig(
        "m", "main", "m", capabilities, ModelConfig.MaxTokensMember.MAX_TOKENS, true);
  }

  private static List<Result> check(
      Vertx vertx, ModelProvider provider, Capabilities model, Deadlines deadlines) {
    List<Result> results = Wait.on(ContractCheck.run(vertx, provider, config(model), deadlines));
    assertThat(results)
        .extracting(Result::name)
        .containsExactly(
            "streaming",
            "usage fields",
            "simulated streaming",
            "abort before the head",
            "abort while streaming",
            "structured output",
            "tools",
            "context limit",
            "embedding dimensions");
    assertThat(results)
        .allSatisfy(result -> assertThat(result.detail()).isNotBlank().doesNotContain("SECRET"));
    return results;
  }

  private static List<Result> check(
      Vertx vertx, Capabilities model, Map<Question, Consumer<Exchange>> others) {
    ScriptedProvider upstream = ScriptedModel.listen(vertx, GOOD, others);
    ProviderConfig provider = ProviderConfig.of(
        "main", Dialect.ANTHROPIC, upstream.baseUrl(), "sk-SECRET", KeyHeader.X_API_KEY);
    return check(
        vertx,
        new AnthropicProvider(CLIENTS.open(vertx, ClientLimits.DEFAULT), provider, config(model)),
        model,
        DEADLINES);
  }

  private static Result row(List<Result> results, String name) {
    return results.stream()
        .filter(result -> result.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> failed(List<Result> results) {
    return results.stream()
        .filter(result -> result.status() == FAILED)
        .map(Result::name)
        .toList();
  }

  @Test
  @DisplayName("a model that keeps its promises passes every check")
  void good(Vertx vertx) {
    List<Result> results = check(vertx, ALL, Map.of());
    assertThat(failed(results)).as(() -> CheckTable.of(results)).isEmpty();
    assertThat(results.subList(0, 8)).extracting(Result::status).containsOnly(PASSED);
    assertThat(row(results, "embedding dimensions").status()).isEqualTo(SKIPPED);
    assertThat(row(results, "usage fields").detail()).isEqualTo("9 in, 15 out");
  }

  @Test
  @DisplayName("what a model does not claim is not tried")
  void skipped(Vertx vertx) {
    Capabilities none = new Capabilities(400_000, 1_000, false, false, false, false, false, 0);
    List<Result> results = check(
        vertx,
        none,
        Map.of(
            Question.STRUCTURED, Exchange::close,
            Question.TOOL, Exchange::close,
            Question.TOO_LONG, Exchange::close));
    assertThat(failed(results)).isEmpty();
    assertThat(results)
        .filteredOn(result -> result.status() == SKIPPED)
        .extracting(Result::name)
        .containsExactly(
            "usage fields", "structured output", "tools", "context limit", "embedding dimensions");
  }

  private static Consumer<Exchange> openAi(String finish, String... deltas) {
    StringBuilder body = new StringBuilder();
    for (String delta : deltas) {
      body.append(data("{\"choices\":[{\"index\":0,\"delta\":{" + delta + "}}]}"));
    }
    return ScriptedProvider.answer(body
        + data("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + finish + "\"}]}")
        + data("{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}")
        + "data: [DONE]\n\n");
  }

  private static Consumer<Exchange> openAiCall(String tool, String arguments) {
    return openAi(
        "tool_calls",
        "\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"call_1\","
            + "\"type\":\"function\",\"function\":{\"name\":\"" + tool
            + "\",\"arguments\":\"\"}}]",
        "\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\""
            + arguments.replace("\"", "\\\"") + "\"}}]");
  }

  private static List<Result> checkOpenAi(Vertx vertx, Map<Question, Consumer<Exchange>> others) {
    Map<Question, Consumer<Exchange>> good = Map.of(
        Question.LONG, openAi("stop", "\"content\":\"one SECRET\"", "\"content\":\" two\""),
        Question.STRUCTURED,
            openAi("stop", "\"content\":\"{\\\"answer\\\":\"", "\"content\":\"\\\"SECRET\\\"}\""),
        Question.TOOL, openAiCall(Questions.TOOL, "{\"city\":\"SECRET\"}"),
        Question.TOO_LONG,
            ScriptedProvider.status(400, "", "{\"error\":{\"code\":\"context_length_exceeded\"}}"));
    ScriptedProvider upstream = ScriptedModel.listen(vertx, good, others);
    ModelProvider provider = new OpenAiProvider(
        CLIENTS.open(vertx, ClientLimits.DEFAULT),
        ProviderConfig.of("main", upstream.baseUrl(), "sk-SECRET"),
        config(ALL));
    return check(vertx, provider, ALL, DEADLINES);
  }

  @Test
  @DisplayName("the checks know no wire format: a good server of another dialect passes them all")
  void otherDialect(Vertx vertx) {
    List<Result> results = checkOpenAi(vertx, Map.of());
    assertThat(results.subList(0, 8))
        .as(() -> CheckTable.of(results))
        .extracting(Result::status)
        .containsOnly(PASSED);
    assertThat(row(results, "usage fields").detail()).isEqualTo("9 in, 3 out");
    assertThat(row(results, "tools").detail()).isEqualTo("calls: 1");
  }

  @Test
  @DisplayName("a server of another dialect fails what it does not keep, and nothing else")
  void otherDialectFails(Vertx vertx) {
    List<Result> results = checkOpenAi(
        vertx,
        Map.of(
            Question.STRUCTURED, openAi("stop", "\"content\":\"The SECRET capital\""),
            Question.TOOL, openAiCall("get_secret", "{}")));
    assertThat(failed(results)).containsExactly("structured output", "tools");
    assertThat(row(results, "structured output").detail()).isEqualTo("the text is no JSON object");
    assertThat(row(results, "tools").detail()).isEqualTo("a call of something else");
  }

  @Test
  @DisplayName("text in one event is no streaming, unless the record says that it is simulated")
  void oneEvent(Vertx vertx) {
    Map<Question, Consumer<Exchange>> whole = Map.of(Question.LONG, said("one two three"));
    List<Result> results = check(vertx, ALL, whole);
    assertThat(failed(results)).containsExactly("streaming");
    assertThat(row(results, "streaming").detail()).isEqualTo("all text in one event");
    Capabilities simulated = new Capabilities(2_000, 1_000, true, true, false, true, true, 0);
    assertThat(failed(check(vertx, simulated, whole))).isEmpty();
  }

  @Test
  @DisplayName("usage that is missing, estimated or zero is no usage")
  void usage(Vertx vertx) {
    String text = delta("\"type\":\"text_delta\",\"text\":\"a\"");
    String bareEnd = data("{\"type\":\"message_stop\"}");
    Map<String, String> bodies = Map.of(
        text + text + bareEnd, "none reported",
        START + text + text + bareEnd, "estimated, not reported",
        START + text + text + END.replace("15", "0"), "9 in, 0 out");
    bodies.forEach((body, detail) -> {
      List<Result> results =
          check(vertx, ALL, Map.of(Question.LONG, ScriptedProvider.answer(body)));
      assertThat(failed(results)).containsExactly("usage fields");
      assertThat(row(results, "usage fields").detail()).isEqualTo(detail);
    });
  }

  @Test
  @DisplayName("an answer that is not of the schema fails structured output alone")
  void structured(Vertx vertx) {
    Map<Consumer<Exchange>, String> answers = Map.of(
        said("The SECRET capital"), "the text is no JSON object",
        called("answer", "{\"city\":\"SECRET\"}"), "the object is not of the schema",
        refused(400, "invalid_request_error", "SECRET"),
            "provider_failed (REFUSED: status 400, type invalid_request_error)");
    answers.forEach((script, detail) -> {
      List<Result> results = check(vertx, ALL, Map.of(Question.STRUCTURED, script));
      assertThat(failed(results)).containsExactly("structured output");
      assertThat(row(results, "structured output").detail()).isEqualTo(detail);
    });
  }

  @Test
  @DisplayName("a call that is missing, another one or without JSON fails tools alone")
  void tools(Vertx vertx) {
    Map<Consumer<Exchange>, String> answers = Map.of(
        said("It is SECRET"), "no call",
        called("get_secret", "{}"), "a call of something else",
        called(Questions.TOOL, "{\"city"), "arguments that are no JSON object");
    answers.forEach((script, detail) -> {
      List<Result> results = check(vertx, ALL, Map.of(Question.TOOL, script));
      assertThat(failed(results)).containsExactly("tools");
      assertThat(row(results, "tools").detail()).isEqualTo(detail);
    });
  }

  @Test
  @DisplayName("a model that takes too much, or refuses it in other words, fails the limit alone")
  void contextLimit(Vertx vertx) {
    Map<Consumer<Exchange>, String> answers = Map.of(
        said("SECRET"), "took more than it claims to",
        refused(500, "api_error", "SECRET"),
            "provider_failed (UNAVAILABLE: status 500, type api_error)");
    answers.forEach((script, detail) -> {
      List<Result> results = check(vertx, ALL, Map.of(Question.TOO_LONG, script));
      assertThat(failed(results)).containsExactly("context limit");
      assertThat(row(results, "context limit").detail()).isEqualTo(detail);
    });
  }

  @Test
  @DisplayName("a stream that is cut off fails, whatever came before")
  void cutOff(Vertx vertx) {
    String text = delta("\"type\":\"text_delta\",\"text\":\"SECRET\"");
    List<Result> results =
        check(vertx, ALL, Map.of(Question.LONG, ScriptedProvider.answer(START + text + text)));
    assertThat(failed(results)).containsExactly("streaming", "usage fields");
    assertThat(row(results, "streaming").detail()).startsWith("provider_truncated");
  }

  @Test
  @DisplayName("a model that says nothing is given up at the total limit, each time")
  void silent(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {});
    ModelProvider provider = new AnthropicProvider(
        CLIENTS.open(vertx, ClientLimits.DEFAULT),
        ProviderConfig.of("main", Dialect.ANTHROPIC, upstream.baseUrl(), "", KeyHeader.X_API_KEY),
        config(ALL));
    List<Result> results = check(vertx, provider, ALL, deadlines(300));
    assertThat(failed(results))
        .containsExactly(
            "streaming",
            "usage fields",
            "abort while streaming",
            "structured output",
            "tools",
            "context limit");
    assertThat(row(results, "streaming").detail()).isEqualTo("provider_timeout (TIMEOUT: total)");
    Wait.on(upstream.closed(0));
  }

  @ParameterizedTest
  @CsvSource({
    "1,1,streaming,2 events after the end",
    "2,0,streaming,2 reasons to stop instead of one",
    "0,0,streaming,0 reasons to stop instead of one"
  })
  @DisplayName("an adapter that goes on after the end, or tells it twice, fails streaming")
  void rogueEnd(int reasons, int late, String name, String detail, Vertx vertx) {
    RogueProvider rogue = new RogueProvider((events, end) -> {
      events.handle(new TokenEvent.Text("a"));
      events.handle(new TokenEvent.Text("b"));
      events.handle(new TokenEvent.Metered(new Usage(9, 0, 0, 2, 0, false)));
      for (int i = 0; i < reasons; i++) {
        events.handle(new TokenEvent.Finished(FinishReason.STOP));
      }
      end.run();
      if (late > 0) {
        events.handle(new TokenEvent.Metered(new Usage(9, 0, 0, 3, 0, false)));
        end.run();
      }
    });
    assertThat(row(check(vertx, rogue, ALL, DEADLINES), name))
        .extracting(Result::status, Result::detail)
        .containsExactly(FAILED, detail);
  }

  @Test
  @DisplayName("an adapter that minds neither abort nor cancel fails both")
  void rogueCancel(Vertx vertx) {
    RogueProvider rogue = new RogueProvider((events, end) -> {
      events.handle(new TokenEvent.Text("a"));
      events.handle(new TokenEvent.Text("b"));
      events.handle(new TokenEvent.Finished(FinishReason.STOP));
      events.handle(new TokenEvent.Text("c"));
      end.run();
    });
    List<Result> results = check(vertx, rogue, ALL, DEADLINES);
    assertThat(row(results, "abort before the head").detail()).isEqualTo("opened all the same");
    assertThat(row(results, "abort while streaming").detail())
        .isEqualTo("4 events after the cancel");
    assertThat(row(results, "streaming").detail())
        .isEqualTo("1 pieces of content after the reason to stop");
  }
}
