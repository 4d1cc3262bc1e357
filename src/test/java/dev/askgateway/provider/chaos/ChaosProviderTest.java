package dev.askgateway.provider.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.openai.OpenAiProvider;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server counts right: the table of failures stands on it. */
@ExtendWith(VertxExtension.class)
class ChaosProviderTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final Wording WORDING = Wording.of(Dialect.OPENAI);
  private static final Script SCRIPT = Script.answer("Hi ", "there");

  private Vertx vertx;
  private UpstreamClient client;

  @BeforeEach
  void build(Vertx vertx) {
    this.vertx = vertx;
    this.client = CLIENTS.open(
        vertx, new ClientLimits(1, 1, 10, Duration.ofSeconds(30), 4_096, 4_096, 1_024));
  }

  private OpenAiProvider model(ChaosProvider server, String key) {
    return new OpenAiProvider(
        client, ProviderConfig.of("main", server.baseUrl(), key), ModelConfig.of("main", "m"));
  }

  private Transcript ask(ChaosProvider server, String key) {
    return Wait.onLoop(vertx, () -> model(server, key)
        .open(Prompts.request(), Deadlines.DEFAULT)
        .compose(Transcript::of));
  }

  @Test
  @DisplayName("calls are counted by key, and a kept connection once")
  void countsByKey() {
    ChaosProvider server = ChaosProvider.listen(vertx, Reply.answer(WORDING, SCRIPT));
    ask(server, "a");
    ask(server, "a");
    ask(server, "b");
    assertThat(server.calls("a")).isEqualTo(2);
    assertThat(server.calls("b")).isEqualTo(1);
    assertThat(server.calls("c")).isZero();
    assertThat(server.connections()).isEqualTo(1);
    assertThat(server.open()).isEqualTo(1);
    assertThat(server.aborted()).isZero();
  }

  @Test
  @DisplayName("a caller that leaves in the middle is counted, and its connection is gone")
  void countsAborts() {
    ChaosProvider server = ChaosProvider.listen(vertx, Fault.stall(1).over(WORDING, SCRIPT));
    Wait.onLoop(vertx, () -> model(server, "a")
        .open(Prompts.request(), Deadlines.DEFAULT)
        .onSuccess(TokenStream::cancel));
    Wait.on(server.firstAbort());
    assertThat(server.aborted()).isEqualTo(1);
    assertThat(server.open()).isZero();
  }

  @Test
  @DisplayName("bytes after an answer spoil its connection, not the next call")
  void strayBytes() {
    ChaosProvider server = ChaosProvider.listen(
        vertx,
        Fault.strayBytes("HTTP/1.1 500 X\r\nstray\r\n\r\n").over(WORDING, SCRIPT),
        Reply.answer(WORDING, SCRIPT));
    assertThat(ask(server, "a").text()).isEqualTo("Hi there");
    Transcript next = ask(server, "a");
    assertThat(next.failure()).isNull();
    assertThat(next.text()).isEqualTo("Hi there");
  }
}
