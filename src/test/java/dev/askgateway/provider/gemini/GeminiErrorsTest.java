package dev.askgateway.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeminiErrorsTest {
  private static final String EXHAUSTED = "{\"error\":{\"code\":429,\"message\":\"You exceeded your"
      + " current quota, please check your plan and billing details.\",\"status\":"
      + "\"RESOURCE_EXHAUSTED\",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.Help\"},"
      + "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"17.5s\"}]}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {\"error\":{\"code\":400,\"message\":\"API key not valid. Please pass a valid API"
            + " key.\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{\"reason\":"
            + "\"API_KEY_INVALID\"}]}} | ACCOUNT",
        "400 | {\"error\":{\"code\":400,\"message\":\"User location is not supported for the API"
            + " use.\",\"status\":\"FAILED_PRECONDITION\"}} | ACCOUNT",
        "400 | [{\"error\":{\"message\":\"API key expired. Please renew the API key.\"}}] | ACCOUNT",
        "400 | {\"error\":{\"status\":\"INVALID_ARGUMENT\",\"message\":\"Unknown name x\"}} | REFUSED",
        "400 | {\"error\":{\"message\":\"The input token count (9) exceeds the maximum number of"
            + " tokens allowed (8).\"}} | TOO_LARGE",
        "403 | {\"error\":{\"status\":\"PERMISSION_DENIED\"}} | ACCOUNT",
        "404 | '' | ACCOUNT",
        "429 | '' | RATE_LIMITED",
        "499 | '' | UNAVAILABLE",
        "500 | <html>secret</html> | UNAVAILABLE",
        "503 | {\"error\":{\"message\":\"The model is overloaded.\"}} | UNAVAILABLE",
        "504 | {} | TIMEOUT"
      })
  @DisplayName("a refusal is sorted by status, and a 400 by whose fault it is")
  void kinds(int status, String body, Kind kind) {
    GatewayError error = GeminiErrors.ofStatus(status, body, null);
    assertThat(ProviderFailure.kindOf(error)).isEqualTo(kind);
    assertThat(ProviderFailure.isModelOnly(error)).isEqualTo(status == 404);
    assertThat(error.getCause().getMessage()).doesNotContain("secret", "API key", "token count");
  }

  @Test
  @DisplayName("the wait is in the header or else in the details")
  void retryAfter() {
    assertThat(GeminiErrors.ofStatus(429, EXHAUSTED, null).retryAfter())
        .isEqualTo(Duration.ofMillis(17_500));
    assertThat(GeminiErrors.ofStatus(429, EXHAUSTED, Duration.ofSeconds(3)).retryAfter())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(GeminiErrors.ofStatus(429, EXHAUSTED.replace("17.5s", "soons"), null)
            .retryAfter())
        .isNull();
    assertThat(GeminiErrors.ofStatus(503, EXHAUSTED, null).retryAfter()).isNull();
  }
}
