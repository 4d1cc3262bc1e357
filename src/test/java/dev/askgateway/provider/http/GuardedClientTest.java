package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Keys;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.Wait;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A guarded client, over TLS")
@ExtendWith(VertxExtension.class)
class GuardedClientTest {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static PfxOptions keys;

  private final List<String> served = new CopyOnWriteArrayList<>();
  private final List<String> lookedUp = new CopyOnWriteArrayList<>();
  private final Deque<String> answers = new ArrayDeque<>();
  private HttpServer server;
  private UpstreamClient client;

  /** A certificate for one name that no name server knows. */
  @BeforeAll
  static void certificate(@TempDir Path directory) throws Exception {
    keys = Keys.selfSigned(directory, "models.example");
  }

  @BeforeEach
  void listen(Vertx vertx) {
    server = Wait.on(vertx
        .createHttpServer(new HttpServerOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setSni(true)
            .setKeyCertOptions(keys))
        .requestHandler(request -> {
          served.add(request.connection().indicatedServerName() + " " + request.authority());
          if (request.path().equals("/away")) {
            request
                .response()
                .setStatusCode(302)
                .putHeader("location", "https://elsewhere.example/");
          }
          request.response().end();
        })
        .listen(0, "127.0.0.1"));
    HostLookup lookup = host -> {
      lookedUp.add(host);
      return Future.succeededFuture(
          List.of(ip(answers.size() > 1 ? answers.poll() : answers.peek())));
    };
    // What is looked up is this machine; everything else is checked as in earnest.
    AddressGuard guard = new PublicAddresses(lookup, true);
    client = UpstreamClient.guarded(
        vertx, ClientLimits.DEFAULT, guard, new HttpClientOptions().setTrustOptions(keys));
    answers.add("127.0.0.1");
  }

  @AfterEach
  void close() {
    Wait.on(client.close());
  }

  private static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException notALiteral) {
      throw new IllegalArgumentException(notALiteral);
    }
  }

  private HttpClientResponse get(Vertx vertx, String host, String path) {
    String url = "https://" + host + ":" + server.actualPort() + path;
    return Wait.onLoop(
        vertx,
        () -> client.request(HttpMethod.GET, url, CONNECT).compose(request -> request.send()));
  }

  @Test
  @DisplayName("connects to the address that was checked, and still asks and verifies by name")
  void byName(Vertx vertx) {
    HttpClientResponse response = get(vertx, "models.example", "/");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(lookedUp).containsExactly("models.example");
    assertThat(served).containsExactly("models.example models.example:" + server.actualPort());
    SocketAddress remote = response.request().connection().remoteAddress();
    assertThat(remote.port()).isEqualTo(server.actualPort());
  }

  @Test
  @DisplayName("refuses a server whose certificate is for another name than the one asked for")
  void otherName(Vertx vertx) {
    assertThatThrownBy(() -> get(vertx, "other.example", "/"))
        .hasRootCauseInstanceOf(java.security.cert.CertificateException.class)
        .satisfies(failure ->
            assertThat(causes(failure)).anyMatch(SSLHandshakeException.class::isInstance));
    assertThat(served).isEmpty();
  }

  private static List<Throwable> causes(Throwable failure) {
    List<Throwable> causes = new java.util.ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }

  @Test
  @DisplayName("asks before each request, and sends none when the name leads elsewhere by now")
  void rebinding(Vertx vertx) {
    answers.add("169.254.169.254");

    assertThat(get(vertx, "models.example", "/").statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> get(vertx, "models.example", "/"))
        .isInstanceOf(GatewayError.class)
        .hasCauseInstanceOf(ProviderFailure.class);
    assertThat(lookedUp).hasSize(2);
    assertThat(served).hasSize(1);
  }

  @Test
  @DisplayName("does not follow a redirect")
  void redirect(Vertx vertx) {
    assertThat(get(vertx, "models.example", "/away").statusCode()).isEqualTo(302);
    assertThat(lookedUp).containsExactly("models.example");
  }
}
