package dev.askgateway.provider.anthropic;

import static dev.askgateway.provider.anthropic.Recorded.PING;
import static dev.askgateway.provider.anthropic.Recorded.STOPPED;
import static dev.askgateway.provider.anthropic.Recorded.error;
import static dev.askgateway.provider.anthropic.Recorded.input;
import static dev.askgateway.provider.anthropic.Recorded.openTool;
import static dev.askgateway.provider.anthropic.Recorded.reason;
import static dev.askgateway.provider.anthropic.Recorded.start;
import static dev.askgateway.provider.anthropic.Recorded.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(VertxExtension.class)
class AnthropicProviderTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final String BODY =
      PING + start() + text(0, "é क ", "🙂") + reason("end_turn") + STOPPED;

  /** One connection, so that every test sees whether it was given back. */
  private static final ClientLimits ONE_CONNECTION =
      new ClientLimits(1, 1, 10, Duration.ofSeconds(30), 4_096, 4_096, 1_024);

  private static final Deadlines DEADLINES = new Deadlines(
      Duration.ofSeconds(2),
      Duration.ofSeconds(10),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60));

  private static AnthropicProvider provider(
      Vertx vertx, ScriptedProvider upstream, KeyHeader keyHeader) {
    return new AnthropicProvider(
        CLIENTS.open(vertx, ONE_CONNECTION),
        ProviderConfig.of(
            "main", Dialect.ANTHROPIC, upstream.baseUrl(), "sk-ant-secret", keyHeader),
        ModelConfig.of("main", "claude-x"));
  }

  private static AnthropicProvider provider(Vertx vertx, ScriptedProvider upstream) {
    return provider(vertx, upstream, KeyHeader.X_API_KEY);
  }

  private static Transcript ask(Vertx vertx, AnthropicProvider provider, ModelRequest request) {
    return Wait.onLoop(vertx, () -> provider
        .open(request, DEADLINES)
        .compose(Transcript::of)
        .recover(cause -> Future.succeededFuture(new Transcript(List.of(), (GatewayError) cause))));
  }

  private static Transcript ask(Vertx vertx, AnthropicProvider provider) {
    return ask(vertx, provider, Prompts.request());
  }

  private static Transcript ask(Vertx vertx, Consumer<Exchange> script) {
    return ask(vertx, provider(vertx, ScriptedProvider.listen(vertx, script)));
  }

  private static Kind kind(Transcript transcript) {
    assertThat(transcript.failure()).isNotNull();
    return ProviderFailure.kindOf(transcript.failure());
  }

  @ParameterizedTest
  @EnumSource(names = {"X_API_KEY", "BEARER"})
  @DisplayName("a question goes out as a message with its version and key, the answer comes whole")
  void answer(KeyHeader keyHeader, Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, ScriptedProvider.answer(BODY));
    AnthropicProvider provider = provider(vertx, upstream, keyHeader);
    Transcript transcript = ask(vertx, provider);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.events())
        .containsExactly(
            new TokenEvent.Metered(new Usage(9, 0, 0, 1, 0, true)),
            new TokenEvent.Text("é क "),
            new TokenEvent.Text("🙂"),
            new TokenEvent.Metered(new Usage(9, 0, 0, 15, 0, false)),
            new TokenEvent.Finished(FinishReason.STOP));
    assertThat(provider.name() + " " + provider.model()).isEqualTo("main claude-x");
    ScriptedProvider.Request request = upstream.requests().get(0);
    assertThat(request.head())
        .startsWith("POST /v1/messages HTTP/1.1")
        .containsIgnoringCase("anthropic-version: 2023-06-01")
        .containsIgnoringCase(
            keyHeader == KeyHeader.BEARER
                ? "authorization: Bearer sk-ant-secret"
                : "x-api-key: sk-ant-secret");
    assertThat(new JsonObject(request.body()))
        .isEqualTo(new JsonObject("{\"model\":\"claude-x\",\"system\":\"Be kind.\",\"messages\":["
            + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Who came\"}]}],"
            + "\"stream\":true,\"max_tokens\":200,\"temperature\":0.25}"));
  }

  @Test
  @DisplayName(
      "over a socket, a cut at any byte and cuts at random give the same events (B01, B15)")
  void cutsOverTheSocket(Vertx vertx) {
    Buffer bytes = Buffer.buffer(BODY.replace("\n", "\r\n"));
    List<List<Buffer>> rounds = new ArrayList<>();
    for (int cut = 1; cut < bytes.length(); cut++) {
      rounds.add(List.of(bytes.getBuffer(0, cut), bytes.getBuffer(cut, bytes.length())));
    }
    Random random = new Random(7);
    for (int round = 0; round < 40; round++) {
      List<Buffer> pieces = new ArrayList<>();
      int from = 0;
      for (int cut : random.ints(3, 1, bytes.length()).sorted().distinct().toArray()) {
        pieces.add(bytes.getBuffer(from, cut));
        from = cut;
      }
      pieces.add(bytes.getBuffer(from, bytes.length()));
      rounds.add(pieces);
    }
    List<Consumer<Exchange>> scripts = new ArrayList<>();
    rounds.forEach(pieces -> scripts.add(exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.pieces(pieces);
    }));
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, scripts);
    AnthropicProvider provider = provider(vertx, upstream);
    for (int round = 0; round < rounds.size(); round++) {
      Transcript transcript = ask(vertx, provider);
      assertThat(transcript.failure()).as("round %d", round).isNull();
      assertThat(transcript.text()).as("round %d", round).isEqualTo("é क 🙂");
      assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 15, 0, false));
      assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
    }
  }

  @Test
  @DisplayName("the end ends the answer though the socket stays open (B41)")
  void openSocketAfterTheEnd(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(BODY);
    });
    assertThat(ask(vertx, provider(vertx, upstream)).reasons()).containsExactly(FinishReason.STOP);
    Wait.on(upstream.closed(0));
  }

  @Test
  @DisplayName("answers read to their end share a connection, also after one that broke off")
  void connectionIsReused(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        List.of(
            ScriptedProvider.answer(BODY),
            ScriptedProvider.answer(start() + text(0, "half")),
            ScriptedProvider.answer(BODY)));
    AnthropicProvider provider = provider(vertx, upstream);
    assertThat(ask(vertx, provider).failure()).isNull();
    assertThat(ask(vertx, provider).failure().code()).isEqualTo(Code.PROVIDER_TRUNCATED);
    assertThat(ask(vertx, provider).failure()).isNull();
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName("an overload says how long to wait, as a status and without a body of its own")
  void overloaded(Vertx vertx) {
    for (String body : List.of(
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"},"
            + "\"request_id\":\"req_1\"}",
        "")) {
      Transcript transcript = ask(vertx, ScriptedProvider.status(529, "Retry-After: 7\r\n", body));
      assertThat(kind(transcript)).isEqualTo(Kind.UNAVAILABLE);
      assertThat(transcript.failure().retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401,authentication_error,x,ACCOUNT",
    "402,billing_error,x,ACCOUNT",
    "400,billing_error,x,ACCOUNT",
    "400,invalid_request_error,Your credit balance is too low,ACCOUNT",
    "403,permission_error,x,ACCOUNT",
    "404,not_found_error,model: claude-y,ACCOUNT",
    "413,request_too_large,x,TOO_LARGE",
    "413,invalid_request_error,x,TOO_LARGE",
    "400,invalid_request_error,prompt is too long: 9 tokens > 8 maximum,TOO_LARGE",
    "400,invalid_request_error,messages: first must be user,REFUSED",
    "429,rate_limit_error,see your billing page,RATE_LIMITED",
    "500,api_error,x,UNAVAILABLE",
    "504,timeout_error,x,TIMEOUT",
    "503,brand_new_error,x,UNAVAILABLE",
    "422,brand_new_error,x,REFUSED"
  })
  @DisplayName("a refusal is sorted by type, then status, and its text stays out")
  void statuses(int status, String type, String message, Kind kind, Vertx vertx) {
    Transcript transcript = ask(
        vertx,
        ScriptedProvider.status(
            status,
            "Retry-After: 3\r\n",
            "{\"type\":\"error\",\"error\":{\"type\":\"" + type + "\",\"message\":\"" + message
                + " sk-ant-secret\"}}"));
    assertThat(kind(transcript)).isEqualTo(kind);
    assertThat(ProviderFailure.isModelOnly(transcript.failure())).isEqualTo(status == 404);
    assertThat(transcript.failure().code()).isEqualTo(kind.code());
    assertThat(transcript.failure().message() + transcript.failure().getCause())
        .doesNotContain("sk-ant-secret", message + " ");
    boolean comesBack = kind == Kind.RATE_LIMITED || kind == Kind.UNAVAILABLE;
    assertThat(transcript.failure().retryAfter())
        .isEqualTo(comesBack ? Duration.ofSeconds(3) : null);
  }

  @Test
  @DisplayName("a page instead of an error leaves the status to decide")
  void htmlError(Vertx vertx) {
    assertThat(kind(ask(vertx, ScriptedProvider.status(413, "", "<html>too large</html>"))))
        .isEqualTo(Kind.TOO_LARGE);
    assertThat(kind(ask(vertx, ScriptedProvider.status(502, "", "[]"))))
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(kind(ask(
            vertx,
            ScriptedProvider.status(
                200, "", "{\"type\":\"error\",\"error\":" + "{\"type\":\"rate_limit_error\"}}"))))
        .isEqualTo(Kind.RATE_LIMITED);
  }

  @Test
  @DisplayName("an error after text ends the answer badly and closes the connection (B37)")
  void errorAfterText(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(start() + text(0, "Hi") + error("overloaded_error", "Overloaded"));
    });
    Transcript transcript = ask(vertx, provider(vertx, upstream));
    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(kind(transcript)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 1, 0, true));
    Wait.on(upstream.closed(0));
  }

  @Test
  @DisplayName("structured output is asked for as a tool and read as text")
  void structuredOutput(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        ScriptedProvider.answer(
            start(),
            openTool(0, "toolu_1", "city"),
            input(0, "{\"answer\": "),
            input(0, "\"Pune\"}"),
            reason("tool_use"),
            STOPPED));
    ModelRequest request = new ModelRequest(
        Prompts.request().messages(),
        List.of(),
        ModelRequest.ToolChoice.AUTO,
        new ModelRequest.Format("city", new JsonObject().put("type", "object"), true),
        null,
        null,
        null,
        List.of(),
        null,
        null);
    Transcript transcript = ask(vertx, provider(vertx, upstream), request);
    assertThat(new JsonObject(transcript.text())).isEqualTo(new JsonObject().put("answer", "Pune"));
    assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
    assertThat(new JsonObject(upstream.requests().get(0).body()).getJsonObject("tool_choice"))
        .contains(Map.entry("name", "city"));
  }

  @Test
  @DisplayName("an aborted call closes its connection before any response")
  void abort(Vertx vertx) {
    Promise<Void> arrived = Promise.promise();
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> arrived.complete());
    AnthropicProvider provider = provider(vertx, upstream);
    GatewayError error = Wait.onLoop(vertx, () -> {
      ModelCall call = provider.start(Prompts.request(), DEADLINES);
      Context loop = vertx.getOrCreateContext();
      arrived.future().onSuccess(here -> loop.runOnContext(now -> call.abort().run()));
      return call.opened().map((GatewayError) null).otherwise(cause -> (GatewayError) cause);
    });
    assertThat(error.code()).isEqualTo(Code.CANCELLED);
    Wait.on(upstream.closed(0));
  }

  @Test
  @DisplayName("a cancelled stream closes its connection and says nothing more")
  void cancel(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(start() + text(0, "a", "b", "c"));
    });
    AnthropicProvider provider = provider(vertx, upstream);
    List<TokenEvent> seen = new ArrayList<>();
    Wait.onLoop(vertx, () -> provider.open(Prompts.request(), DEADLINES).compose(stream -> {
      Promise<Void> first = Promise.promise();
      stream.exceptionHandler(first::tryFail).handler(event -> {
        seen.add(event);
        if (event instanceof TokenEvent.Text) {
          stream.cancel();
          first.complete();
        }
      });
      stream.resume();
      return first.future();
    }));
    Wait.on(upstream.closed(0));
    assertThat(seen)
        .containsExactly(
            new TokenEvent.Metered(new Usage(9, 0, 0, 1, 0, true)), new TokenEvent.Text("a"));
  }
}
