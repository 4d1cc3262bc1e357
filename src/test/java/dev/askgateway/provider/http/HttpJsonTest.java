package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Clients;
import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class HttpJsonTest {
  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  private static JsonObject get(Vertx vertx, String url, long timeoutMillis) {
    HttpJson json = new HttpJson(CLIENTS.open(vertx, ClientLimits.DEFAULT));
    return Wait.onLoop(vertx, () -> json.get(url, Duration.ofMillis(timeoutMillis), 100));
  }

  private static GatewayError failure(Vertx vertx, String url, long timeoutMillis) {
    try {
      get(vertx, url, timeoutMillis);
    } catch (GatewayError error) {
      assertThat(error.code()).isEqualTo(Code.DEPENDENCY_UNAVAILABLE);
      return error;
    }
    throw new AssertionError("no failure");
  }

  private static String serve(Vertx vertx, Consumer<ScriptedProvider.Exchange> script) {
    return ScriptedProvider.listen(vertx, script).baseUrl() + "/keys";
  }

  @Test
  @DisplayName("a JSON object is fetched")
  void object(Vertx vertx) {
    assertThat(get(vertx, serve(vertx, ScriptedProvider.status(200, "", "{\"keys\":[]}")), 5_000))
        .isEqualTo(new JsonObject("{\"keys\":[]}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[1]", "null", "{", "\"text\"", "<html>secret</html>"})
  @DisplayName("anything but an object is a failure that does not quote it")
  void notAnObject(String body, Vertx vertx) {
    GatewayError error =
        failure(vertx, serve(vertx, ScriptedProvider.status(200, "", body)), 5_000);
    assertThat(error.message() + error.getCause()).doesNotContain("secret");
  }

  @Test
  @DisplayName("another status, a redirect and a document over the limit are failures")
  void refused(Vertx vertx) {
    ScriptedProvider other = ScriptedProvider.listen(vertx, ScriptedProvider.status(200, "", "{}"));
    String redirect = "Location: " + other.baseUrl() + "\r\n";
    assertThat(failure(vertx, serve(vertx, ScriptedProvider.status(302, redirect, "")), 5_000))
        .hasRootCauseMessage("UNAVAILABLE: status 302");
    assertThat(other.requests()).isEmpty();
    failure(vertx, serve(vertx, ScriptedProvider.status(500, "", "{}")), 5_000);
    String tooLong = "{\"a\":\"" + "x".repeat(100) + "\"}";
    assertThat(failure(vertx, serve(vertx, ScriptedProvider.status(200, "", tooLong)), 5_000))
        .hasRootCauseMessage("PROTOCOL: response body");
  }

  @Test
  @DisplayName("a server that hangs, before its head or inside its body, is given up in time")
  void hangs(Vertx vertx) {
    ScriptedProvider silent = ScriptedProvider.listen(vertx, exchange -> {});
    failure(vertx, silent.baseUrl(), 200);
    Wait.on(silent.closed(0));
    ScriptedProvider half = ScriptedProvider.listen(
        vertx, exchange -> exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"));
    failure(vertx, half.baseUrl(), 200);
    Wait.on(half.closed(0));
  }
}
