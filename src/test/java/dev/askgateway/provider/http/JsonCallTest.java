package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.Wait;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
class JsonCallTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static final Consumer<Exchange> OK = ScriptedProvider.status(200, "", "{\"a\":1}");

  /** A request whose refusals say what they were told. */
  private record Ping(String url) implements Post {
    @Override
    public void headers(MultiMap headers) {
      headers.set("x-key", "secret");
    }

    @Override
    public Buffer body() {
      return Buffer.buffer("{\"ping\":true}");
    }

    @Override
    public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
      return ProviderFailure.error(
          Kind.ACCOUNT, status + " " + body.length() + " " + retryAfter, retryAfter);
    }
  }

  private static Deadlines deadlines(long headersMillis, long totalMillis) {
    Duration headers = Duration.ofMillis(headersMillis);
    Duration total = Duration.ofMillis(totalMillis);
    return new Deadlines(headers, headers, total, total, total);
  }

  private static String post(Vertx vertx, UpstreamClient client, String url, Deadlines limits) {
    return Wait.onLoop(vertx, () -> JsonCall.post(client, limits, new Ping(url), 100))
        .toString();
  }

  private static String post(Vertx vertx, String url, Deadlines limits) {
    return post(vertx, CLIENTS.open(vertx, ClientLimits.DEFAULT), url, limits);
  }

  private static GatewayError failure(Vertx vertx, ScriptedProvider upstream, Deadlines limits) {
    try {
      post(vertx, upstream.baseUrl(), limits);
    } catch (GatewayError error) {
      return error;
    }
    throw new AssertionError("no failure");
  }

  private static GatewayError failure(Vertx vertx, Consumer<Exchange> script) {
    return failure(vertx, ScriptedProvider.listen(vertx, script), deadlines(10_000, 20_000));
  }

  @Test
  @DisplayName(
      "the body is posted as JSON with the vendor's headers, and the answer is given whole")
  void posted(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, OK);
    assertThat(post(vertx, upstream.baseUrl(), deadlines(10_000, 20_000))).isEqualTo("{\"a\":1}");
    ScriptedProvider.Request request = upstream.requests().get(0);
    assertThat(request.head())
        .startsWith("POST /v1 HTTP/1.1")
        .containsIgnoringCase("content-type: application/json")
        .containsIgnoringCase("accept: application/json")
        .containsIgnoringCase("x-key: secret");
    assertThat(request.body()).isEqualTo("{\"ping\":true}");
  }

  @Test
  @DisplayName("another status is sorted by the dialect, with body and wait; a redirect is one too")
  void refused(Vertx vertx) {
    assertThat(failure(vertx, ScriptedProvider.status(429, "Retry-After: 7\r\n", "busy")))
        .hasRootCauseMessage("ACCOUNT: 429 4 PT7S");
    ScriptedProvider other = ScriptedProvider.listen(vertx, OK);
    assertThat(failure(
            vertx, ScriptedProvider.status(302, "Location: " + other.baseUrl() + "\r\n", "")))
        .hasRootCauseMessage("ACCOUNT: 302 0 null");
    assertThat(other.requests()).isEmpty();
  }

  @Test
  @DisplayName("an answer over the limit is a failure and its connection is closed")
  void tooLong(Vertx vertx) {
    ScriptedProvider upstream =
        ScriptedProvider.listen(vertx, ScriptedProvider.status(200, "", "x".repeat(101)));
    assertThat(failure(vertx, upstream, deadlines(10_000, 20_000)))
        .hasRootCauseMessage("PROTOCOL: response body");
    Wait.on(upstream.closed(0));
    assertThat(failure(vertx, ScriptedProvider.status(400, "", "x".repeat(70_000))))
        .hasRootCauseMessage("ACCOUNT: 400 0 null");
  }

  @Test
  @DisplayName("a server that hangs, before its head or inside its body, is given up in time")
  void hangs(Vertx vertx) {
    ScriptedProvider silent = ScriptedProvider.listen(vertx, exchange -> {});
    assertThat(failure(vertx, silent, deadlines(200, 60_000)))
        .hasRootCauseMessage("TIMEOUT: headers");
    Wait.on(silent.closed(0));
    assertThat(failure(vertx, silent, deadlines(60_000, 200)))
        .hasRootCauseMessage("TIMEOUT: headers");
    ScriptedProvider half = ScriptedProvider.listen(
        vertx, exchange -> exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"));
    assertThat(failure(vertx, half, deadlines(10_000, 500)))
        .hasRootCauseMessage("TIMEOUT: response body");
    Wait.on(half.closed(0));
  }

  @Test
  @DisplayName("a body that breaks off is a failure, not a short answer")
  void cutOff(Vertx vertx) {
    GatewayError error = failure(vertx, exchange -> exchange
        .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}")
        .onSuccess(written -> exchange.close()));
    assertThat(ProviderFailure.kindOf(error)).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  @DisplayName("a kept connection that was closed meanwhile gets one fresh try")
  void staleConnection(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, List.of(OK, Exchange::close, OK));
    UpstreamClient client = CLIENTS.open(vertx, ClientLimits.DEFAULT);
    Deadlines limits = deadlines(10_000, 20_000);
    assertThat(post(vertx, client, upstream.baseUrl(), limits)).isEqualTo("{\"a\":1}");
    assertThat(post(vertx, client, upstream.baseUrl(), limits)).isEqualTo("{\"a\":1}");
    assertThat(upstream.requests())
        .extracting(ScriptedProvider.Request::connection)
        .containsExactly(0, 0, 1);
  }

  @Test
  @DisplayName("a fresh connection that breaks gets none, and the address stays out of the failure")
  void freshConnectionBreaks(Vertx vertx) {
    ScriptedProvider upstream = ScriptedProvider.listen(vertx, List.of(Exchange::close, OK));
    GatewayError error = failure(vertx, upstream, deadlines(10_000, 20_000));
    assertThat(ProviderFailure.kindOf(error)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(upstream.requests()).hasSize(1);
    upstream.hangUp();
    GatewayError refused = failure(vertx, upstream, deadlines(10_000, 20_000));
    assertThat(ProviderFailure.kindOf(refused)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(refused.message() + refused.getCause()).doesNotContain("127.0.0.1");
  }
}
