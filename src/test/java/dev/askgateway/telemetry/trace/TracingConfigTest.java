package dev.askgateway.telemetry.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Where traces go")
class TracingConfigTest {

  private static TracingConfig config(String endpoint, String protocol, double ratio) {
    return new TracingConfig(
        endpoint, protocol, Map.of("authorization", "Basic c2VjcmV0"), ratio, "ask", Map.of(), 64);
  }

  private static TracingConfig at(String endpoint) {
    return config(endpoint, "http/protobuf", 1);
  }

  @ParameterizedTest(name = "{0} has them posted to {1}")
  @CsvSource({
    "http://127.0.0.1:4318, http://127.0.0.1:4318/v1/traces",
    "https://collector.example/otlp/, https://collector.example/otlp/v1/traces",
  })
  void address(String endpoint, String url) {
    assertThat(at(endpoint).isOn()).isTrue();
    assertThat(at(endpoint).url()).isEqualTo(url);
  }

  @Test
  @DisplayName("is nowhere without an address, whatever protocol other programs use")
  void off() {
    assertThat(config("", "grpc", 1).isOn()).isFalse();
  }

  @ParameterizedTest(name = "\"{0}\" is no address, and is not printed")
  @ValueSource(
      strings = {"collector:4318", "ftp://host", "http://", "http://me:secret@host", "http://h h"})
  void noAddress(String endpoint) {
    assertThatThrownBy(() -> at(endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tracing.endpoint is ***; it must be ");
  }

  @Test
  @DisplayName("is refused over a protocol that nothing here speaks")
  void protocol() {
    assertThatThrownBy(() -> config("http://host:4317", "grpc", 1))
        .hasMessage("tracing.protocol is grpc; it must be http/protobuf");
  }

  @ParameterizedTest(name = "no share of the requests is {0}")
  @ValueSource(doubles = {-0.1, 1.01, Double.NaN})
  void ratio(double share) {
    assertThatThrownBy(() -> config("http://host", "http/protobuf", share))
        .hasMessageStartingWith("tracing.sampleRatio is ");
  }

  @Test
  @DisplayName("is refused with a header that would break the request, without showing it")
  void header() {
    assertThatThrownBy(() -> new TracingConfig(
            "http://host", "http/protobuf", Map.of("x", "secret\r\nHost: b"), 1, "a", Map.of(), 1))
        .hasMessageStartingWith("tracing.headers is ***; ")
        .hasMessageNotContaining("secret");
  }

  @Test
  @DisplayName("is written nowhere with its headers")
  void text() {
    assertThat(at("http://host").toString()).isEqualTo("TracingConfig[on]");
  }
}
