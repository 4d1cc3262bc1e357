package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
class GateOverSocketsTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final String ROLE =
      "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
  private static final String HI = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
  private static final String STOP = "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n";
  private static final String DONE = "data: [DONE]\n\n";

  private Vertx vertx;
  private UpstreamClient client;

  @BeforeEach
  void build(Vertx vertx) {
    this.vertx = vertx;
    this.client = CLIENTS.open(
        vertx, new ClientLimits(2, 1, 10, Duration.ofSeconds(30), 4_096, 4_096, 1_024));
  }

  private static Deadlines limits(long firstDelta, long stall) {
    return new Deadlines(
        Duration.ofMillis(firstDelta),
        Duration.ofMillis(firstDelta),
        Duration.ofMillis(firstDelta),
        Duration.ofMillis(stall),
        Duration.ofSeconds(30));
  }

  private ModelProvider provider(ScriptedProvider upstream) {
    return new OpenAiProvider(
        client, ProviderConfig.of("main", upstream.baseUrl(), "k"), ModelConfig.of("main", "m"));
  }

  private Future<Transcript> ask(Deadlines deadlines, ScriptedProvider... upstreams) {
    List<ModelProvider> candidates = new ArrayList<>();
    for (ScriptedProvider upstream : upstreams) {
      candidates.add(provider(upstream));
    }
    return new FailoverGate(vertx)
        .start(Prompts.request(), Plan.of(deadlines, candidates), AttemptListener.NONE)
        .committed()
        .compose(committed -> Transcript.of(committed.stream()))
        .otherwise(cause -> new Transcript(List.of(), (GatewayError) cause));
  }

  @Test
  @DisplayName("two providers that open and then fail give one failure and no event (B19)")
  void bothFail() {
    ScriptedProvider first = ScriptedProvider.listen(
        vertx, ScriptedProvider.answer(ROLE, "data: {\"error\":{\"code\":500}}\n\n"));
    ScriptedProvider second = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(ROLE).onSuccess(written -> exchange.close());
    });
    Transcript transcript = Wait.onLoop(vertx, () -> ask(limits(10_000, 10_000), first, second));
    assertThat(transcript.events()).isEmpty();
    assertThat(transcript.failure().code()).isEqualTo(Code.PROVIDER_TRUNCATED);
    assertThat(second.requests()).hasSize(1);
  }

  @Test
  @DisplayName("a tool call without a name, a finish reason and a break are one failure, at once")
  void namelessCall() {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange
          .chunk("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":"
              + "{\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n")
          .onSuccess(written -> exchange.close());
    });
    Transcript transcript = Wait.onLoop(vertx, () -> ask(limits(10_000, 10_000), upstream));
    assertThat(transcript.events()).isEmpty();
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.PROTOCOL);
  }

  @Test
  @DisplayName(
      "a provider that opens and stalls is cut off, and the next one's answer is whole (B23, B25)")
  void stallsBeforeText() {
    ScriptedProvider stuck = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk(": ping\n\n" + ROLE);
    });
    ScriptedProvider silent = ScriptedProvider.listen(vertx, exchange -> {});
    ScriptedProvider good =
        ScriptedProvider.listen(vertx, ScriptedProvider.answer(ROLE, HI, HI, STOP, DONE));
    Transcript transcript = Wait.onLoop(vertx, () -> ask(limits(300, 10_000), stuck, silent, good));
    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("HiHi");
    Wait.on(stuck.closed(0));
    Wait.on(silent.closed(0));
  }

  @Test
  @DisplayName("streams that hang after text free their connections at the stall limit (B29)")
  void hangingStreams() {
    ScriptedProvider upstream = ScriptedProvider.listen(
        vertx,
        List.of(
            exchange -> {
              exchange.write(ScriptedProvider.HEAD);
              exchange.chunk(HI);
            },
            exchange -> {
              exchange.write(ScriptedProvider.HEAD);
              exchange.chunk(HI);
            },
            ScriptedProvider.answer(HI, STOP, DONE)));
    Deadlines deadlines = limits(5_000, 300);
    List<Transcript> transcripts = Wait.onLoop(vertx, () -> {
      Future<Transcript> one = ask(deadlines, upstream);
      Future<Transcript> two = ask(deadlines, upstream);
      Future<Transcript> three = ask(deadlines, upstream); // waits: the pool has two connections
      return Future.all(one, two, three).map(all -> all.<Transcript>list());
    });
    assertThat(transcripts).extracting(Transcript::text).containsExactly("Hi", "Hi", "Hi");
    assertThat(transcripts.get(0).failure().code()).isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(transcripts.get(1).failure().code()).isEqualTo(Code.PROVIDER_TIMEOUT);
    assertThat(transcripts.get(2).failure()).isNull();
  }

  @Test
  @DisplayName(
      "a person who leaves while upstream thinks closes its connection; no other is asked (B95)")
  void cancelWhileOpening() {
    Promise<Void> arrived = Promise.promise();
    ScriptedProvider slow = ScriptedProvider.listen(vertx, exchange -> arrived.complete());
    ScriptedProvider other = ScriptedProvider.listen(vertx, ScriptedProvider.answer(HI, STOP));
    Deadlines deadlines = limits(20_000, 20_000);
    GatewayError error = Wait.onLoop(vertx, () -> {
      FailoverGate.Run run = new FailoverGate(vertx)
          .start(
              Prompts.request(),
              Plan.of(deadlines, List.of(provider(slow), provider(other))),
              AttemptListener.NONE);
      Context loop = vertx.getOrCreateContext();
      arrived.future().onSuccess(here -> loop.runOnContext(now -> run.cancel()));
      return run.committed().map((GatewayError) null).otherwise(cause -> (GatewayError) cause);
    });
    assertThat(error.code()).isEqualTo(Code.CANCELLED);
    Wait.on(slow.closed(0));
    assertThat(other.requests()).isEmpty();
  }
}
