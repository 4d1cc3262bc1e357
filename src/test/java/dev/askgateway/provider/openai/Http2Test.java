package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Keys;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PfxOptions;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class Http2Test {
  private static final String HI = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
  private static final String END =
      "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

  /** The first TLS handshake of a process takes seconds on a busy machine. */
  private static final Deadlines PATIENT = new Deadlines(
      Duration.ofSeconds(20),
      Duration.ofSeconds(20),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60));

  private final List<HttpServerRequest> requests = new CopyOnWriteArrayList<>();
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private final Promise<Void> bothHere = Promise.promise();
  private final Promise<Void> firstReset = Promise.promise();

  @Test
  @DisplayName(
      "over TLS streams share an HTTP/2 connection, and cancelling one leaves the others alone")
  void sharedConnection(Vertx vertx, @TempDir Path directory) throws Exception {
    PfxOptions keys = Keys.selfSigned(directory, "localhost");
    HttpServer server = Wait.on(vertx
        .createHttpServer(
            new HttpServerOptions().setSsl(true).setUseAlpn(true).setKeyCertOptions(keys))
        .requestHandler(this::serve)
        .listen(0, "localhost"));
    OpenAiProvider provider = new OpenAiProvider(
        UpstreamClient.create(
            vertx, ClientLimits.DEFAULT, new HttpClientOptions().setTrustOptions(keys)),
        ProviderConfig.of("main", "https://localhost:" + server.actualPort(), "k"),
        ModelConfig.of("main", "m"));

    Transcript second = Wait.onLoop(vertx, () -> {
      Context loop = vertx.getOrCreateContext();
      return provider.open(Prompts.request(), PATIENT).compose(first -> {
        Future<Transcript> other =
            provider.open(Prompts.request(), PATIENT).compose(Transcript::of);
        bothHere.future().onSuccess(here -> loop.runOnContext(now -> first.cancel()));
        return other;
      });
    });

    assertThat(second.failure()).isNull();
    assertThat(second.text()).isEqualTo("HiHi");
    assertThat(requests).extracting(HttpServerRequest::version).containsOnly(HttpVersion.HTTP_2);
    assertThat(connections).hasSize(1);
  }

  /** The first stream stays open until it is reset; only then does the second go on. */
  private void serve(HttpServerRequest request) {
    requests.add(request);
    connections.add(request.connection());
    request.response().setChunked(true).write(HI);
    if (requests.size() == 1) {
      request.response().exceptionHandler(reset -> firstReset.tryComplete());
    } else {
      bothHere.complete();
      firstReset.future().onSuccess(reset -> request.response().end(HI + END));
    }
  }
}
