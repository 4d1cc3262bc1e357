package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class OpenAiProviderTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final String HI = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
  private static final String STOP =
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  private static final String USAGE =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1}}\n\n";
  private static final String DONE = "data: [DONE]\n\n";

  /** One connection, so that every test sees whether it was given back. */
  private static final ClientLimits ONE_CONNECTION =
      new ClientLimits(1, 1, 10, Duration.ofSeconds(30), 4_096, 4_096, 1_024);

  private static Deadlines deadlines(long headersMillis) {
    Duration headers = Duration.ofMillis(headersMillis);
    Duration connect =
        headers.compareTo(Duration.ofSeconds(2)) < 0 ? headers : Duration.ofSeconds(2);
    Duration rest = Duration.ofSeconds(60);
    return new Deadlines(connect, headers, rest, rest, rest);
  }

  /** A provider with the deadlines its calls get. */
  private record Timed(OpenAiProvider provider, Deadlines deadlines) {
    ModelCall start(ModelRequest request) {
      return provider.start(request, deadlines);
    }

    Future<TokenStream> open(ModelRequest request) {
      return provider.open(request, deadlines);
    }
  }

  private static Timed provider(Vertx vertx, String baseUrl, long headersMillis) {
    return new Timed(
        new OpenAiProvider(
            CLIENTS.open(vertx, ONE_CONNECTION),
            ProviderConfig.of("main", baseUrl, "sk-secret"),
            ModelConfig.of("main", "gpt-x")),
        deadlines(headersMillis));
  }

  private static Timed provider(Vertx vertx, ScriptedProvider upstream) {
    return provider(vertx, upstream.baseUrl(), 10_000);
  }

  private static Transcript ask(Vertx vertx, Timed provider) {
    return Wait.onLoop(vertx, () -> provider
        .open(Prompts.request())
        .compose(Transcript::of)
        .recover(cause -> Future.succeededFuture(new Transcript(List.of(), (GatewayError) cause))));
  }

  private static Transcript ask(Vertx vertx, Consumer<Exchange> script) {
    return ask(vertx, provider(vertx, ScriptedProvider.listen(vertx, script)));
  }

  private static Kind kind(Transcript transcript) {
    assertThat(transcript.failure()).isNotNull();
    return ProviderFailure.kindOf(transcript.failure());
  }

  @Test
  @DisplayName(
      "the request carries the prompt, asks for a stream with usage, and the key in one header")
  void request(Vertx vertx) {
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP, USAGE, DONE));
    Transcript transcript = ask(vertx, provider(vertx, upstream));
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.events())
        .containsExactly(
            new TokenEvent.Text("Hi"),
            new TokenEvent.Metered(new Usage(9, 0, 0, 1, 0, false)),
            new TokenEvent.Finished(FinishReason.STOP));
    ScriptedProvider.Request request = upstream.requests().get(0);
    assertThat(request.head())
        .startsWith("POST /v1/chat/completions HTTP/1.1")
        .containsIgnoringCase("authorization: Bearer sk-secret")
        .doesNotContainIgnoringCase("accept-encoding");
    assertThat(new JsonObject(request.body()))
        .isEqualTo(new JsonObject("{\"model\":\"gpt-x\",\"messages\":["
            + "{\"role\":\"system\",\"content\":\"Be kind.\"},"
            + "{\"role\":\"user\",\"content\":\"Who came\"}],\"stream\":true,\"max_tokens\":200,"
            + "\"stream_options\":{\"include_usage\":true},\"temperature\":0.25}"));
  }

  @Test
  @DisplayName("members that a server refuses are left out, and no key means no header")
  void requestVariant(Vertx vertx) {
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP, DONE));
    ProviderConfig config = new ProviderConfig(
        "main",
        Dialect.OPENAI,
        upstream.baseUrl(),
        "",
        ProviderConfig.KeyHeader.BEARER,
        false,
        new DataPolicy(DataPolicy.Mode.LOCAL, DataPolicy.Retention.NONE, ""),
        0);
    ModelConfig model = new ModelConfig(
        "o9",
        "main",
        "o9",
        Capabilities.TEXT,
        ModelConfig.MaxTokensMember.MAX_COMPLETION_TOKENS,
        false);
    ask(
        vertx,
        new Timed(
            new OpenAiProvider(CLIENTS.open(vertx, ONE_CONNECTION), config, model),
            deadlines(5_000)));
    ScriptedProvider.Request request = upstream.requests().get(0);
    assertThat(request.head()).doesNotContainIgnoringCase("authorization");
    assertThat(new JsonObject(request.body()).fieldNames())
        .containsExactlyInAnyOrder("model", "messages", "stream", "max_completion_tokens");
  }

  @Test
  @DisplayName(
      "Azure gets its key in its own header, its query kept, and may begin without a choice")
  void azure(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        ScriptedProvider.answer(
            "data: {\"choices\":[],\"created\":0,\"id\":\"\",\"model\":\"\",\"object\":\"\","
                + "\"prompt_filter_results\":[{\"prompt_index\":0,\"content_filter_results\":{}}]}\n\n",
            HI,
            STOP,
            DONE));
    String base = upstream.baseUrl().replace("/v1", "/openai/deployments/d?api-version=2024-10-21");
    ProviderConfig config = ProviderConfig.of(
        "azure", Dialect.OPENAI, base, "secret", ProviderConfig.KeyHeader.API_KEY);
    Transcript transcript = ask(
        vertx,
        new Timed(
            new OpenAiProvider(
                CLIENTS.open(vertx, ONE_CONNECTION), config, ModelConfig.of("azure", "gpt-x")),
            deadlines(10_000)));
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
    assertThat(upstream.requests().get(0).head())
        .startsWith("POST /openai/deployments/d/chat/completions?api-version=2024-10-21 HTTP/1.1")
        .containsIgnoringCase("api-key: secret")
        .doesNotContainIgnoringCase("authorization");
  }

  @Test
  @DisplayName("a request that came in this dialect goes out with its own members and comes back as"
      + " it is, byte for byte")
  void verbatim(Vertx vertx) {
    String odd = "{ \"x\" : 1e0, \"choices\":[{\"delta\":{\"content\":\"\\u0048i\"}}]}";
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx, ScriptedProvider.answer(": wait\n\n", "data: " + odd + "\n\n", STOP, USAGE, DONE));
    ModelRequest asked = Originals.request(new JsonObject(
        "{\"model\":\"mine\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"seed\":7}"));
    Timed provider = provider(vertx, upstream);
    Transcript transcript = Wait.onLoop(vertx, () -> provider.open(asked).compose(Transcript::of));
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.events())
        .containsExactly(
            new TokenEvent.Chunk(Buffer.buffer(odd), 2, 0, false),
            new TokenEvent.Chunk(Buffer.buffer(STOP.substring(6).strip()), 0, 0, false),
            new TokenEvent.Chunk(Buffer.buffer(USAGE.substring(6).strip()), 0, 0, true),
            new TokenEvent.Metered(new Usage(9, 0, 0, 1, 0, false)),
            new TokenEvent.Finished(FinishReason.STOP));
    assertThat(new JsonObject(upstream.requests().get(0).body()))
        .isEqualTo(asked
            .original()
            .copy()
            .put("model", "gpt-x")
            .put("stream", true)
            .put("stream_options", new JsonObject().put("include_usage", true)));
  }

  @Test
  @DisplayName("all events of one piece from the network come in one tick")
  void oneTick(Vertx vertx) {
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI.repeat(50), STOP, DONE));
    Timed provider = provider(vertx, upstream);
    AtomicInteger seen = new AtomicInteger();
    Promise<Integer> afterTheTick = Promise.promise();
    Transcript transcript =
        Wait.onLoop(vertx, () -> provider.open(Prompts.request()).compose(stream -> {
          Promise<Transcript> ended = Promise.promise();
          stream
              .endHandler(end -> ended.complete(new Transcript(List.of(), null)))
              .handler(event -> {
                if (seen.incrementAndGet() == 1) {
                  vertx.runOnContext(next -> afterTheTick.complete(seen.get()));
                }
              })
              .resume();
          return ended.future();
        }));
    assertThat(transcript.failure()).isNull();
    assertThat(Wait.on(afterTheTick.future())).isGreaterThanOrEqualTo(50);
  }

  @Test
  @DisplayName("a client counts the keep-alives that servers write as data (B13)")
  void dataKeepAlives(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx, ScriptedProvider.answer("data: : keepalive\n\n", HI, STOP, DONE));
    UpstreamClient client = CLIENTS.open(vertx, ONE_CONNECTION);
    ProviderConfig config = ProviderConfig.of("main", upstream.baseUrl(), "");
    Transcript transcript = ask(
        vertx,
        new Timed(
            new OpenAiProvider(client, config, ModelConfig.of("main", "gpt-x")),
            deadlines(10_000)));
    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(client.dataKeepAlives().sum()).isEqualTo(1);
  }

  @Test
  @DisplayName("over a socket, cuts anywhere in the body give the same events (B01, B15)")
  void cutsOverTheSocket(Vertx vertx) {
    String body = ": a\r\n\r\n" + HI.replace("Hi", "é क 🙂") + STOP + USAGE + DONE;
    Buffer bytes = Buffer.buffer(body);
    Random random = new Random(7);
    for (int round = 0; round < 40; round++) {
      int[] cuts = random.ints(3, 1, bytes.length()).sorted().distinct().toArray();
      List<Buffer> pieces = new ArrayList<>();
      int from = 0;
      for (int cut : cuts) {
        pieces.add(bytes.getBuffer(from, cut));
        from = cut;
      }
      pieces.add(bytes.getBuffer(from, bytes.length()));
      Transcript transcript = ask(vertx, exchange -> {
        exchange.write(ScriptedProvider.HEAD);
        exchange.pieces(pieces);
      });
      assertThat(transcript.failure()).isNull();
      assertThat(transcript.text()).isEqualTo("é क 🙂");
      assertThat(transcript.usage()).isEqualTo(new Usage(9, 0, 0, 1, 0, false));
      assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
    }
  }

  @Test
  @DisplayName(
      "the end marker ends the answer though the socket stays open, and the connection is let go (B41)")
  void openSocketAfterDone(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        List.of(
            exchange -> {
              exchange.write(ScriptedProvider.HEAD);
              exchange.chunk(HI + STOP + USAGE + DONE);
            },
            ScriptedProvider.answer(HI, STOP, DONE)));
    Timed provider = provider(vertx, upstream);
    assertThat(ask(vertx, provider).reasons()).containsExactly(FinishReason.STOP);
    assertThat(ask(vertx, provider).text()).isEqualTo("Hi");
    assertThat(upstream.requests()).hasSize(2);
    Wait.on(upstream.closed(0));
  }

  @Test
  @DisplayName("a finish reason ends the answer though marker and close stay away")
  void openSocketAfterFinish(Vertx vertx) {
    Transcript transcript = ask(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(HI + STOP);
    });
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
  }

  @Test
  @DisplayName("an answer read to its end leaves its connection for the next one")
  void connectionIsReused(Vertx vertx) {
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP, DONE));
    Timed provider = provider(vertx, upstream);
    for (int i = 0; i < 3; i++) {
      assertThat(ask(vertx, provider).text()).isEqualTo("Hi");
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "a call that finds no connection and no room to wait is our trouble, not the model's")
  void crowded(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {});
    ClientLimits nobodyWaits =
        new ClientLimits(1, 1, 0, Duration.ofSeconds(30), 4_096, 4_096, 1_024);
    Timed provider = new Timed(
        new OpenAiProvider(
            CLIENTS.open(vertx, nobodyWaits),
            ProviderConfig.of("main", upstream.baseUrl(), "k"),
            ModelConfig.of("main", "m")),
        deadlines(10_000));
    GatewayError refused = Wait.onLoop(vertx, () -> {
      ModelCall first = provider.start(Prompts.request());
      return provider
          .open(Prompts.request())
          .map((GatewayError) null)
          .otherwise(cause -> (GatewayError) cause)
          .onComplete(done -> first.abort().run());
    });
    assertThat(refused.code()).isEqualTo(Code.OVERLOADED);
    assertThat(ProviderFailure.kindOf(refused)).isEqualTo(Kind.CROWDED);
    assertThat(Kind.CROWDED.passing()).isFalse();
  }

  @Test
  @DisplayName(
      "a body that ends or breaks before a reason is truncated, after one it is whole (B39)")
  void endings(Vertx vertx) {
    assertThat(ask(vertx, ScriptedProvider.answer(HI)).failure().code())
        .isEqualTo(Code.PROVIDER_TRUNCATED);
    Transcript broken = ask(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(HI).onSuccess(written -> exchange.close());
    });
    assertThat(broken.text()).isEqualTo("Hi");
    assertThat(broken.failure().code()).isEqualTo(Code.PROVIDER_TRUNCATED);
    Transcript whole = ask(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(HI + STOP).onSuccess(written -> exchange.close());
    });
    assertThat(whole.failure()).isNull();
    assertThat(whole.reasons()).containsExactly(FinishReason.STOP);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", DONE})
  @DisplayName("a 200 with nothing in it is a failure (B33)")
  void emptyBody(String body, Vertx vertx) {
    assertThat(kind(ask(vertx, ScriptedProvider.status(200, "", body)))).isEqualTo(Kind.PROTOCOL);
  }

  @Test
  @DisplayName("an endless line fails at the cap and its connection is closed (B09)")
  void endlessLine(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk("data: " + "a".repeat(3_000));
      exchange.chunk("a".repeat(3_000));
    });
    assertThat(kind(ask(vertx, provider(vertx, upstream)))).isEqualTo(Kind.PROTOCOL);
    Wait.on(upstream.closed(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | {\"error\":{\"message\":\"Incorrect API key sk-secret\"}} | ACCOUNT | PROVIDER_FAILED",
        "403 | <html>no</html> | ACCOUNT | PROVIDER_FAILED",
        "404 | {\"error\":\"model not found\"} | ACCOUNT | PROVIDER_FAILED",
        "408 | '' | TIMEOUT | PROVIDER_TIMEOUT",
        "400 | {\"error\":{\"code\":\"context_length_exceeded\"}} | TOO_LARGE | CONTEXT_TOO_LARGE",
        "400 | {\"error\":\"This model's maximum context length is 8\"} | TOO_LARGE | CONTEXT_TOO_LARGE",
        "413 | '' | TOO_LARGE | CONTEXT_TOO_LARGE",
        "400 | {\"error\":{\"message\":\"bad temperature\"}} | REFUSED | PROVIDER_FAILED",
        "400 | [1] | REFUSED | PROVIDER_FAILED",
        "422 | {} | REFUSED | PROVIDER_FAILED",
        "500 | '' | UNAVAILABLE | PROVIDER_FAILED",
        "503 | <html>busy</html> | UNAVAILABLE | PROVIDER_FAILED",
        "429 | {\"error\":{\"code\":\"insufficient_quota\"}} | ACCOUNT | PROVIDER_FAILED"
      })
  @DisplayName("a refusal is sorted by status and words, and its text stays out")
  void statuses(int status, String body, Kind kind, Code code, Vertx vertx) {
    Transcript transcript = ask(vertx, ScriptedProvider.status(status, "", body));
    assertThat(kind(transcript)).isEqualTo(kind);
    assertThat(transcript.failure().code()).isEqualTo(code);
    assertThat(transcript.failure().message() + transcript.failure().getCause())
        .doesNotContain("sk-secret", "temperature", "html");
  }

  @Test
  @DisplayName("a 429 carries how long to wait")
  void rateLimited(Vertx vertx) {
    Transcript transcript =
        ask(vertx, ScriptedProvider.status(429, "Retry-After: 7\r\n", "{\"error\":\"slow down\"}"));
    assertThat(kind(transcript)).isEqualTo(Kind.RATE_LIMITED);
    assertThat(transcript.failure().code()).isEqualTo(Code.NO_PROVIDER);
    assertThat(transcript.failure().retryAfter()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  @DisplayName("an error body that is too long, or never comes, leaves the status to decide")
  void errorBodyBounds(Vertx vertx) {
    assertThat(kind(ask(vertx, ScriptedProvider.status(503, "", "x".repeat(5_000)))))
        .isEqualTo(Kind.UNAVAILABLE);
    ScriptedProvider hanging = ScriptedProvider.listen(
        vertx, exchange -> exchange.write("HTTP/1.1 401 X\r\nContent-Length: 100\r\n\r\n{"));
    assertThat(kind(ask(vertx, provider(vertx, hanging.baseUrl(), 300)))).isEqualTo(Kind.ACCOUNT);
    Wait.on(hanging.closed(0));
  }

  @Test
  @DisplayName("a redirect is not followed: the key would travel along (B183)")
  void redirect(Vertx vertx) {
    ScriptedProvider other =
        ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP, DONE));
    Transcript transcript =
        ask(vertx, ScriptedProvider.status(307, "Location: " + other.baseUrl() + "\r\n", ""));
    assertThat(kind(transcript)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(other.requests()).isEmpty();
  }

  @Test
  @DisplayName("a server that accepts and says nothing is given up at the headers deadline (B25)")
  void silentServer(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {});
    assertThat(kind(ask(vertx, provider(vertx, upstream.baseUrl(), 200)))).isEqualTo(Kind.TIMEOUT);
    Wait.on(upstream.closed(0));
  }

  @Test
  @DisplayName("a TLS handshake that never ends is given up at the connect deadline (B25)")
  void silentTls(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {});
    String https = upstream.baseUrl().replace("http://", "https://");
    assertThat(kind(ask(vertx, provider(vertx, https, 300)))).isEqualTo(Kind.TIMEOUT);
    upstream.hangUp(); // a client does not close while a handshake is under way
  }

  @Test
  @DisplayName("a server that is not there fails without its address in the error (B183)")
  void refusedConnection(Vertx vertx) {
    int port = Wait.on(
        vertx.createNetServer().connectHandler(socket -> {}).listen(0).compose(server -> server
            .close()
            .map(server.actualPort())));
    Transcript transcript = ask(vertx, provider(vertx, "http://127.0.0.1:" + port + "/v1", 5_000));
    assertThat(kind(transcript)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(transcript.failure().message() + transcript.failure().getCause())
        .doesNotContain("127.0.0.1", String.valueOf(port));
  }

  @Test
  @DisplayName("a kept connection that turns out closed or spoilt is replaced once (B17)")
  void staleConnection(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        List.of(
            ScriptedProvider.answer(HI, STOP, DONE),
            exchange -> exchange.write("\r\n1f\r\n").onSuccess(written -> exchange.close()),
            ScriptedProvider.answer(HI.replace("Hi", "Ho"), STOP, DONE)));
    Timed provider = provider(vertx, upstream);
    assertThat(ask(vertx, provider).text()).isEqualTo("Hi");
    Transcript second = ask(vertx, provider);
    assertThat(second.failure()).isNull();
    assertThat(second.text()).isEqualTo("Ho");
    assertThat(upstream.requests()).hasSize(3);
    assertThat(upstream.requests().get(2).connection()).isEqualTo(1);
  }

  @Test
  @DisplayName("a fresh connection that breaks is not tried again: that call may have been billed")
  void freshConnectionBreaks(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, Exchange::close);
    assertThat(kind(ask(vertx, provider(vertx, upstream)))).isEqualTo(Kind.UNAVAILABLE);
    assertThat(upstream.requests()).hasSize(1);
  }

  @Test
  @DisplayName("an aborted call closes its connection before any response")
  void abort(Vertx vertx) {
    AtomicReference<Runnable> abort = new AtomicReference<>();
    Promise<Void> arrived = Promise.promise();
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> arrived.complete());
    Timed provider = provider(vertx, upstream);
    GatewayError error = Wait.onLoop(vertx, () -> {
      ModelCall call = provider.start(Prompts.request());
      abort.set(call.abort());
      io.vertx.core.Context loop = vertx.getOrCreateContext();
      arrived.future().onSuccess(here -> loop.runOnContext(now -> abort.get().run()));
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
      exchange.chunk(HI + HI + HI);
    });
    Timed provider = provider(vertx, upstream);
    List<TokenEvent> seen = new ArrayList<>();
    Wait.onLoop(vertx, () -> provider.open(Prompts.request()).compose(stream -> {
      Promise<Void> first = Promise.promise();
      stream.exceptionHandler(first::tryFail).handler(event -> {
        seen.add(event);
        stream.cancel();
        stream.cancel();
        first.complete();
      });
      stream.resume();
      return first.future();
    }));
    Wait.on(upstream.closed(0));
    assertThat(seen).hasSize(1);
  }

  @Test
  @DisplayName(
      "a late cancel of a finished answer leaves the next one on its connection alone (B97, B127)")
  void lateCancel(Vertx vertx) {
    Promise<Exchange> second = Promise.promise();
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx, List.of(ScriptedProvider.answer(HI, HI, STOP, USAGE, DONE), exchange -> {
          exchange.write(ScriptedProvider.HEAD);
          exchange.chunk(HI).onSuccess(written -> second.complete(exchange));
        }));
    Timed provider = provider(vertx, upstream);
    Transcript transcript = Wait.onLoop(vertx, () -> {
      io.vertx.core.Context loop = vertx.getOrCreateContext();
      return provider.open(Prompts.request()).compose(first -> {
        // The first stays paused: its bytes are all here, unread, and its connection serves
        // another.
        Future<Transcript> next = provider.open(Prompts.request()).compose(Transcript::of);
        second
            .future()
            .onSuccess(exchange -> loop.runOnContext(now -> {
              first.cancel();
              exchange.chunk(HI + STOP + DONE);
              exchange.endBody();
            }));
        return next;
      });
    });
    assertThat(upstream.connections()).isEqualTo(1);
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("HiHi");
  }

  @Test
  @DisplayName("readers that throw, even while they are told of it, keep no connection (B125)")
  void throwingReaders(Vertx vertx) {
    Timed provider = provider(
        vertx, ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, HI, STOP, DONE)));
    for (int i = 0; i < 20; i++) {
      Wait.onLoop(vertx, () -> provider.open(Prompts.request()).compose(stream -> {
        Promise<Void> told = Promise.promise();
        vertx.getOrCreateContext().exceptionHandler(thrown -> {});
        stream
            .exceptionHandler(error -> {
              told.complete();
              throw new IllegalStateException("broken twice");
            })
            .handler(event -> {
              throw new IllegalStateException("broken reader");
            })
            .resume();
        return told.future();
      }));
    }
    assertThat(ask(vertx, provider).text()).isEqualTo("HiHi");
  }

  @Test
  @DisplayName("a paused reader holds the server back instead of filling the memory")
  void backPressure(Vertx vertx) {
    int total = 10_000;
    AtomicInteger unsent = new AtomicInteger(total);
    String padded = HI.replace("Hi", "x".repeat(2_000));
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      for (int i = 0; i < total; i++) {
        exchange.chunk(padded).onSuccess(written -> unsent.decrementAndGet());
      }
      exchange.chunk(STOP + DONE);
      exchange.endBody();
    });
    Timed provider = provider(vertx, upstream);
    List<TokenEvent> events = new ArrayList<>();
    List<Integer> atTheEndOfThePause = new ArrayList<>();
    Wait.onLoop(vertx, () -> provider.open(Prompts.request()).compose(stream -> {
      Promise<Void> done = Promise.promise();
      stream.exceptionHandler(done::fail).endHandler(done::complete).handler(event -> {
        events.add(event);
        if (events.size() == 3) {
          stream.pause();
          untilSteady(vertx, unsent).onSuccess(steady -> {
            atTheEndOfThePause.addAll(List.of(events.size(), steady));
            stream.resume();
          });
        }
      });
      stream.resume();
      return done.future();
    }));
    assertThat(atTheEndOfThePause.get(0)).isEqualTo(3);
    assertThat(atTheEndOfThePause.get(1)).as("of 20 MB, chunks still held back").isPositive();
    assertThat(events).hasSize(total + 1);
  }

  /** The count once it has not moved for ten looks, half a second. */
  private static Future<Integer> untilSteady(Vertx vertx, AtomicInteger count) {
    Promise<Integer> steady = Promise.promise();
    int[] last = {-1, 0};
    vertx.setPeriodic(50, tick -> {
      last[1] = last[0] == count.get() ? last[1] + 1 : 0;
      last[0] = count.get();
      if (last[1] == 10) {
        vertx.cancelTimer(tick);
        steady.complete(last[0]);
      }
    });
    return steady.future();
  }
}
