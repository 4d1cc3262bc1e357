package dev.askgateway.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelConfig;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(VertxExtension.class)
class GeminiProviderTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final String KEY = "AIza-secret";

  private static final String HI = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":"
      + "\"Hé 🙂\"}],\"role\":\"model\"}}]}\r\n\r\n";
  private static final String STOP = "data: {\"candidates\":[{\"finishReason\":\"STOP\"}],"
      + "\"usageMetadata\":{\"promptTokenCount\":9,\"candidatesTokenCount\":1}}\r\n\r\n";

  private static final Deadlines DEADLINES = new Deadlines(
      Duration.ofSeconds(5),
      Duration.ofSeconds(10),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60));

  private static GeminiProvider provider(Vertx vertx, String baseUrl) {
    return new GeminiProvider(
        CLIENTS.open(vertx, ClientLimits.DEFAULT),
        ProviderConfig.of("google", Dialect.GEMINI, baseUrl, KEY, KeyHeader.X_GOOG_API_KEY),
        ModelConfig.of("google", "gemini-x"));
  }

  private static Transcript ask(Vertx vertx, GeminiProvider provider) {
    return Wait.onLoop(vertx, () -> provider
        .open(Prompts.request(), DEADLINES)
        .compose(Transcript::of)
        .recover(cause -> Future.succeededFuture(new Transcript(List.of(), (GatewayError) cause))));
  }

  private static Transcript ask(Vertx vertx, Consumer<Exchange> script) {
    return ask(vertx, provider(vertx, ScriptedProvider.listen(vertx, script).baseUrl()));
  }

  @Test
  @DisplayName("an answer is streamed, and the key goes in a header and nowhere else (B183)")
  void happyPath(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP));
    GeminiProvider provider = provider(vertx, upstream.baseUrl());
    assertThat(provider.name() + " " + provider.model()).isEqualTo("google gemini-x");
    Transcript transcript = ask(vertx, provider);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.events())
        .containsExactly(
            new TokenEvent.Text("Hé 🙂"),
            new TokenEvent.Metered(new Usage(9, 0, 0, 1, 0, false)),
            new TokenEvent.Finished(FinishReason.STOP));
    ScriptedProvider.Request request = upstream.requests().get(0);
    String firstLine = request.head().lines().findFirst().orElseThrow();
    assertThat(firstLine)
        .isEqualTo("POST /v1/models/gemini-x:streamGenerateContent?alt=sse HTTP/1.1");
    assertThat(request.head().lines().filter(line -> line.contains(KEY)))
        .singleElement()
        .asString()
        .isEqualToIgnoringCase("x-goog-api-key: " + KEY);
    assertThat(new JsonObject(request.body()))
        .isEqualTo(new JsonObject("{\"systemInstruction\":{\"parts\":[{\"text\":\"Be kind.\"}]},"
            + "\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Who came\"}]}],"
            + "\"generationConfig\":{\"maxOutputTokens\":200,\"temperature\":0.25}}"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://x.org/v1, gemini-x, https://x.org/v1/models/gemini-x:streamGenerateContent?alt=sse",
    "https://x.org/v1/?a=b, g, https://x.org/v1/models/g:streamGenerateContent?a=b&alt=sse",
    "https://x.org?, g, https://x.org/models/g:streamGenerateContent?alt=sse",
    "https://x.org, tunedModels/t, https://x.org/tunedModels/t:streamGenerateContent?alt=sse",
    "https://x.org, a?b#c d, https://x.org/models/a%3Fb%23c%20d:streamGenerateContent?alt=sse"
  })
  @DisplayName("the address keeps the base's query, and no model's name can leave its path")
  void address(String baseUrl, String model, String url) {
    GeminiWire wire = new GeminiWire(
        ProviderConfig.of("google", Dialect.GEMINI, baseUrl, KEY, KeyHeader.X_GOOG_API_KEY),
        new ModelConfig(
            "m", "google", model, Capabilities.TEXT, ModelConfig.MaxTokensMember.MAX_TOKENS, true),
        Prompts.request());
    assertThat(wire.url()).isEqualTo(url);
  }

  @Test
  @DisplayName("a connection cut after any byte is told as cut off, until the answer is whole")
  void everyByteCut(Vertx vertx) {
    byte[] body = (HI + STOP).getBytes(StandardCharsets.UTF_8);
    List<Consumer<Exchange>> scripts = new ArrayList<>();
    for (int cut = 1; cut <= body.length; cut++) {
      Buffer piece = Buffer.buffer(body).getBuffer(0, cut);
      scripts.add(exchange -> {
        exchange.write(ScriptedProvider.HEAD);
        exchange.chunk(piece).onSuccess(written -> exchange.close());
      });
    }
    GeminiProvider provider =
        provider(vertx, ScriptedProvider.listen(vertx, scripts).baseUrl());
    int whole = body.length - 1; // of the two line ends, a bare CR is enough
    for (int cut = 1; cut <= body.length; cut++) {
      Transcript transcript = ask(vertx, provider);
      assertThat("Hé 🙂").as("cut at %d", cut).startsWith(transcript.text());
      if (cut < whole) {
        assertThat(transcript.failure()).as("cut at %d", cut).isNotNull();
        assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.TRUNCATED);
        assertThat(transcript.reasons()).isEmpty();
      } else {
        assertThat(transcript.failure()).as("cut at %d", cut).isNull();
        assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
      }
    }
  }

  @Test
  @DisplayName("an empty STOP and then a broken connection is cut off, not an empty answer (B43)")
  void emptyStopThenBroken(Vertx vertx) {
    Transcript transcript = ask(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange
          .chunk("data: {\"candidates\":[{\"content\":{\"parts\":[]},\"finishReason\":\"STOP\"}]}"
              + "\r\n\r\n")
          .onSuccess(written -> exchange.close());
    });
    assertThat(transcript.failure()).isNotNull();
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.TRUNCATED);
  }

  @Test
  @DisplayName("a refusal is sorted, a redirect is not followed, and neither tells the key (B183)")
  void refused(Vertx vertx) {
    ScriptedProvider other = ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP));
    List<Consumer<Exchange>> scripts = List.of(
        ScriptedProvider.status(
            400,
            "",
            "{\"error\":{\"message\":\"API key not valid: " + KEY + "\",\"status\":\"X\"}}"),
        ScriptedProvider.status(302, "Location: " + other.baseUrl() + "\r\n", ""));
    GeminiProvider provider =
        provider(vertx, ScriptedProvider.listen(vertx, scripts).baseUrl());
    Transcript badKey = ask(vertx, provider);
    assertThat(ProviderFailure.kindOf(badKey.failure())).isEqualTo(Kind.ACCOUNT);
    Transcript redirect = ask(vertx, provider);
    assertThat(redirect.failure()).isNotNull();
    assertThat(other.requests()).isEmpty();
    for (Transcript transcript : List.of(badKey, redirect)) {
      assertThat(transcript.failure().message() + transcript.failure().getCause())
          .doesNotContain(KEY, "127.0.0.1");
    }
  }

  @Test
  @DisplayName("a host that refuses the connection is a failure without key or address (B183)")
  void unreachable(Vertx vertx) {
    ScriptedProvider gone = ScriptedProvider.listen(vertx, exchange -> {});
    gone.hangUp();
    Transcript transcript = ask(vertx, provider(vertx, gone.baseUrl()));
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.UNAVAILABLE);
    assertThat(transcript.failure().message() + transcript.failure().getCause())
        .doesNotContain(KEY, "127.0.0.1");
  }

  @Test
  @DisplayName("an aborted call closes its connection before any response")
  void abort(Vertx vertx) {
    Promise<Void> arrived = Promise.promise();
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> arrived.complete());
    GeminiProvider provider = provider(vertx, upstream.baseUrl());
    GatewayError error = Wait.onLoop(vertx, () -> {
      ModelCall call = provider.start(Prompts.request(), DEADLINES);
      Context loop = vertx.getOrCreateContext();
      arrived.future().onSuccess(here -> loop.runOnContext(now -> call.abort().run()));
      return call.opened().map((GatewayError) null).otherwise(cause -> (GatewayError) cause);
    });
    assertThat(error.code()).isEqualTo(Code.CANCELLED);
    Wait.on(upstream.closed(0));
  }
}
