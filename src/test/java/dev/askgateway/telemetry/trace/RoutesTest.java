package dev.askgateway.telemetry.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a request was for")
class RoutesTest {

  @ParameterizedTest(name = "{0} is told as {1}")
  @CsvSource({
    "/v1/chat/completions?key=secret, /v1/chat/completions",
    "/ai/assistant/messages, /ai/assistant/messages",
    "/ai/assistant/threads/6f0d7a3e/messages, /ai/*",
    "/v1/models/whatever, /v1/*",
    "/v1/chat/completions/secret, /v1/*",
  })
  void named(String uri, String route) {
    assertThat(Routes.of(uri)).isEqualTo(route);
  }

  @ParameterizedTest(name = "{0} is not traced")
  @ValueSource(
      strings = {"/health/ready", "/metrics", "/", "", "/aid", "http://host/v1/models", "*"})
  void notTraced(String uri) {
    assertThat(Routes.of(uri)).isNull();
  }
}
