package dev.askgateway.provider.byok;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.http.PublicAddresses;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An address of a person's own")
class BaseUrlsTest {

  private static Future<Void> check(String url) {
    return new BaseUrls(new PublicAddresses(BaseUrlsTest::look, false)).check(url);
  }

  /** Literals as they are, names to a public address, names of "inside" to a private one. */
  private static Future<List<InetAddress>> look(String host) {
    try {
      boolean literal = host.matches("[0-9.]+|.*:.*");
      String address = literal ? host : host.startsWith("inside") ? "10.1.2.3" : "93.184.216.34";
      return Future.succeededFuture(List.of(InetAddress.getByName(address)));
    } catch (UnknownHostException unknown) {
      return Future.failedFuture(unknown);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://api.example.com",
        "https://api.example.com/",
        "https://api.example.com/v1",
        "https://api.example.com/openai/v1/",
        "https://api.example.com:443/v1",
        "https://api.example.com:8443/v1",
        "https://8.8.8.8/v1",
        "https://[2606:4700::1]/v1"
      })
  @DisplayName("is taken")
  void taken(String url) {
    assertThat(check(url).succeeded()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "api.example.com",
        "http://api.example.com/v1",
        "HTTP://api.example.com",
        "file:///etc/passwd",
        "gopher://api.example.com",
        "https:api.example.com",
        "https://",
        "https:///v1",
        "https://api.example.com./v1",
        "https://me:pass@api.example.com",
        "https://api.example.com@inside.example.com",
        "https://api.example.com\\@inside.example.com",
        "https://api.example.com#@inside.example.com",
        "https://api.example.com?x=y",
        "https://api.example.com/v1#x",
        "https://api.example.com/../v1",
        "https://api.example.com/./v1",
        "https://api.example.com//v1",
        "https://api.example.com/%2e%2e/v1",
        "https://api.example.com/v1\r\nX: y",
        "https://api.example.com:80",
        "https://api.example.com:22",
        "https://api.example.com:0",
        "https://api.example.com:65536",
        "https://inside.example.com/v1",
        "https://localhost/v1",
        "https://metadata.google.internal/v1",
        "https://127.0.0.1/v1",
        "https://2130706433/v1",
        "https://0x7f000001/v1",
        "https://0x7f.1/v1",
        "https://0177.0.0.1/v1",
        "https://127.1/v1",
        "https://8.8.8/v1",
        "https://[::1]/v1",
        "https://[::ffff:127.0.0.1]/v1",
        "https://[fe80::1%25eth0]/v1",
        "https://exam\u0440le.com/v1",
        "https://\uff11\uff12\uff17.0.0.1/v1"
      })
  @DisplayName("is refused, and the field is named")
  void refused(String url) {
    assertThat(check(url).cause()).isInstanceOfSatisfying(GatewayError.class, error -> {
      assertThat(error.code()).isEqualTo(GatewayError.Code.INVALID_REQUEST);
      assertThat(error.field()).isEqualTo("/baseUrl");
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://api.example.com/"})
  @DisplayName("is refused when it is over 300 characters long")
  void tooLong(String start) {
    assertThat(check(start + "a".repeat(300 - start.length())).succeeded()).isTrue();
    assertThat(check(start + "a".repeat(301 - start.length())).succeeded()).isFalse();
  }
}
