package dev.askgateway.provider.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However an answer that has stopped comes to its end, its dialect is asked, and one end is told. */
@ExtendWith(VertxExtension.class)
class SseTokenStreamTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  /** What follows the model's stop. */
  private enum Then {
    BREAKS(exchange -> exchange.close()),
    SILENCE(exchange -> {}),
    END_MARKER(exchange -> exchange.chunk("data: done\n\n")),
    CLEAN_END(Exchange::endBody);

    private final Consumer<Exchange> acts;

    Then(Consumer<Exchange> acts) {
      this.acts = acts;
    }
  }

  private static Transcript read(Vertx vertx, Then then, boolean wrong) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, exchange -> {
      exchange.write(ScriptedProvider.HEAD);
      exchange.chunk("data: Hi\n\ndata: stop\n\n").onSuccess(written -> then.acts.accept(exchange));
    });
    PlainWire wire = new PlainWire(upstream.baseUrl(), wrong);
    return Wait.onLoop(vertx, () -> SseCall.start(
            CLIENTS.open(vertx, ClientLimits.DEFAULT), Deadlines.DEFAULT, wire)
        .opened()
        .compose(Transcript::of));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an answer that is found wrong after its stop fails once and does not hang")
  void wrong(Then then, Vertx vertx) {
    Transcript transcript = read(vertx, then, true);
    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(transcript.reasons()).isEmpty();
    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.PROTOCOL);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an answer that is whole after its stop ends well, whatever is missing after it")
  void whole(Then then, Vertx vertx) {
    Transcript transcript = read(vertx, then, false);
    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(transcript.reasons()).containsExactly(FinishReason.STOP);
    assertThat(transcript.failure()).isNull();
  }
}
