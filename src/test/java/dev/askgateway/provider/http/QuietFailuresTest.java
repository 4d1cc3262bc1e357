package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.chaos.ChaosProvider;
import dev.askgateway.provider.chaos.Reply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What fails upstream is told to whoever asked, in our words; the log is for our own errors. */
@ExtendWith(VertxExtension.class)
class QuietFailuresTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final Logger ROOT = (Logger) LoggerFactory.getLogger("ROOT");
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(15);

  private final Errors errors = new Errors();
  private Vertx vertx;
  private UpstreamClient client;

  /** Hears all that is logged as an error. */
  private static final class Errors extends AppenderBase<ILoggingEvent> {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
        heard.add(event.getLoggerName() + ": " + event.getFormattedMessage());
      }
    }
  }

  private record Ping(String url) implements Post {
    @Override
    public void headers(MultiMap headers) {}

    @Override
    public Buffer body() {
      return Buffer.buffer("{}");
    }

    @Override
    public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
      return ProviderFailure.error(Kind.REFUSED, "status " + status);
    }
  }

  @BeforeEach
  void listen(Vertx vertx) {
    this.vertx = vertx;
    client = CLIENTS.open(vertx, ClientLimits.DEFAULT);
    errors.setContext(ROOT.getLoggerContext());
    errors.start();
    ROOT.addAppender(errors);
  }

  @AfterEach
  void leave() {
    ROOT.detachAppender(errors);
  }

  private Code failure(String url, Duration headers) {
    return Wait.onLoop(
        vertx, () -> failureOf(new PostCall(client, new Ping(url), LONG, headers).send()));
  }

  /** The error of a call, be it that of its body; afterwards the loop has come to rest. */
  private Future<Code> failureOf(Future<HttpClientResponse> head) {
    return head.compose(response -> CappedBody.read(vertx, response, 1_000, LONG))
        .map(Code.REQUEST_CONFLICT) // stands for none
        .otherwise(error -> ((GatewayError) error).code())
        .compose(code -> vertx.timer(50).map(code));
  }

  @Test
  @DisplayName("a connection that is refused, reset, closed or stray is no error of ours")
  void broken() {
    List<Reply> replies = List.of(
        Reply.of(new Reply.Wait(20), new Reply.Rst()),
        Reply.of(new Reply.Fin()),
        Reply.of(new Reply.Raw(Buffer.buffer("no HTTP at all\r\n\r\n"))),
        Reply.head().then(new Reply.Wait(20), new Reply.Rst()),
        Reply.head().then(new Reply.Raw(Buffer.buffer("zz\r\n"))),
        Reply.head().then(new Reply.Raw(Buffer.buffer("ff\r\nhalf")), new Reply.Fin()));
    for (Reply reply : replies) {
      try (ChaosProvider upstream = ChaosProvider.listen(vertx, reply)) {
        assertThat(failure(upstream.baseUrl(), LONG)).isEqualTo(Code.PROVIDER_FAILED);
      }
    }
    try (ChaosProvider refusing = ChaosProvider.refusing(vertx)) {
      assertThat(failure(refusing.baseUrl(), LONG)).isEqualTo(Code.PROVIDER_FAILED);
    }
    assertThat(errors.heard).isEmpty();
  }

  @Test
  @DisplayName("a call that is late, or given up before its answer, is no error of ours")
  void givenUp() {
    try (ChaosProvider silent = ChaosProvider.listen(vertx, Reply.of(new Reply.Hold()))) {
      assertThat(failure(silent.baseUrl(), SHORT)).isEqualTo(Code.PROVIDER_TIMEOUT);
    }
    try (ChaosProvider silent = ChaosProvider.listen(vertx, Reply.of(new Reply.Hold()))) {
      Code code = Wait.onLoop(vertx, () -> {
        Context loop = vertx.getOrCreateContext();
        PostCall call = new PostCall(client, new Ping(silent.baseUrl()), LONG, LONG);
        Future<Code> failure = failureOf(call.send());
        silent
            .firstCall()
            .onSuccess(here ->
                loop.runOnContext(now -> call.giveUp(new GatewayError(Code.CANCELLED, "Left."))));
        return failure;
      });
      assertThat(code).isEqualTo(Code.CANCELLED);
    }
    assertThat(errors.heard).isEmpty();
  }
}
