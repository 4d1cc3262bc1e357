package dev.askgateway.provider.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Keys;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PfxOptions;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Over HTTP/2 a server says which requests it has not looked at (B129). */
@ExtendWith(VertxExtension.class)
class RefusedStreamTest {
  private static final long INTERNAL_ERROR = 2;
  private static final long REFUSED_STREAM = 7;

  /** The first TLS handshake of a process takes seconds on a busy machine. */
  private static final Deadlines PATIENT = new Deadlines(
      Duration.ofSeconds(20),
      Duration.ofSeconds(20),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60),
      Duration.ofSeconds(60));

  private static PfxOptions keys;

  private final List<HttpServerRequest> requests = new CopyOnWriteArrayList<>();
  private UpstreamClient client;

  @BeforeAll
  static void certificate(@TempDir Path directory) throws Exception {
    keys = Keys.selfSigned(directory, "localhost");
  }

  /** The n-th request is served by the n-th, later ones by the last. */
  @SafeVarargs
  private PlainWire listen(Vertx vertx, Consumer<HttpServerRequest>... served) {
    HttpServer server = Wait.on(vertx
        .createHttpServer(
            new HttpServerOptions().setSsl(true).setUseAlpn(true).setKeyCertOptions(keys))
        .requestHandler(request -> {
          requests.add(request);
          served[Math.min(requests.size(), served.length) - 1].accept(request);
        })
        .listen(0, "localhost"));
    client = UpstreamClient.create(
        vertx, ClientLimits.DEFAULT, new HttpClientOptions().setTrustOptions(keys));
    return new PlainWire("https://localhost:" + server.actualPort() + "/", false);
  }

  @AfterEach
  void close() {
    Wait.on(client.close());
  }

  private static void answer(HttpServerRequest request) {
    request.response().end("data: Hi\n\ndata: done\n\n");
  }

  /** Goes away without having looked at this one, as a server that restarts does. */
  private static void leaveBefore(HttpServerRequest request) {
    request.connection().goAway(0, request.streamId() - 1);
  }

  private Future<Transcript> call(PlainWire wire) {
    return SseCall.start(client, PATIENT, wire)
        .opened()
        .compose(Transcript::of)
        .otherwise(refused -> new Transcript(List.of(), (GatewayError) refused));
  }

  private Transcript read(Vertx vertx, PlainWire wire) {
    return Wait.onLoop(vertx, () -> call(wire));
  }

  @Test
  @DisplayName("a stream that the server refused unseen is sent again, once")
  void refused(Vertx vertx) {
    PlainWire wire = listen(
        vertx, request -> request.response().reset(REFUSED_STREAM), RefusedStreamTest::answer);

    Transcript transcript = read(vertx, wire);

    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(requests).hasSize(2);
    assertThat(requests).extracting(HttpServerRequest::version).containsOnly(HttpVersion.HTTP_2);
  }

  @Test
  @DisplayName("a server that refuses every stream is left alone after the second")
  void refusedTwice(Vertx vertx) {
    PlainWire wire = listen(vertx, request -> request.response().reset(REFUSED_STREAM));

    Transcript transcript = read(vertx, wire);

    assertThat(ProviderFailure.kindOf(transcript.failure())).isEqualTo(Kind.UNAVAILABLE);
    assertThat(requests).hasSize(2);
  }

  @Test
  @DisplayName(
      "a stream after the last one that a leaving server looks at goes to a new connection")
  void wentAway(Vertx vertx) {
    PlainWire wire = listen(vertx, RefusedStreamTest::leaveBefore, RefusedStreamTest::answer);

    Transcript transcript = read(vertx, wire);

    assertThat(transcript.text()).isEqualTo("Hi");
    assertThat(requests).hasSize(2);
    assertThat(requests.get(1).connection()).isNotSameAs(requests.get(0).connection());
  }

  @Test
  @DisplayName(
      "a stream that broke in the server's hands is not sent again, on a kept connection too")
  void broken(Vertx vertx) {
    PlainWire wire = listen(
        vertx, RefusedStreamTest::answer, request -> request.response().reset(INTERNAL_ERROR));

    List<Transcript> both = Wait.onLoop(
        vertx, () -> call(wire).compose(first -> call(wire).map(second -> List.of(first, second))));

    assertThat(both.get(0).text()).isEqualTo("Hi");
    assertThat(ProviderFailure.kindOf(both.get(1).failure())).isEqualTo(Kind.UNAVAILABLE);
    assertThat(requests).hasSize(2);
    assertThat(requests.get(1).connection()).isSameAs(requests.get(0).connection());
  }

  @Test
  @DisplayName(
      "an answer of a server that leaves after it is whole, also for a reader that comes late")
  void leavesAfterwards(Vertx vertx) {
    PlainWire wire = listen(vertx, request -> {
      request.response().setChunked(true).write("data: Hi\n\n");
      request.connection().goAway(0, request.streamId());
      request.response().end("data: stay\n\ndata: stop\n\n");
    });

    Transcript transcript = Wait.onLoop(vertx, () -> SseCall.start(client, PATIENT, wire)
        .opened()
        .compose(stream -> vertx.timer(300).compose(later -> Transcript.of(stream))));

    assertThat(transcript.failure()).isNull();
    assertThat(transcript.text()).isEqualTo("Histay");
  }
}
