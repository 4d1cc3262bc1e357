package dev.askgateway.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.provider.http.ClientLimits;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {

  @Test
  @DisplayName("a provider's text form shows neither its key nor its address's query")
  void keyIsHidden() {
    ProviderConfig config =
        ProviderConfig.of("main", "https://a.example/v1?sig=secret-2", "secret-1");
    assertThat(config.toString()).contains("main", "a.example", "***").doesNotContain("secret");
  }

  @Test
  @DisplayName("an operation goes between the base address and its query")
  void operation() {
    assertThat(ProviderConfig.of("a", "http://h:1/v1/", "").operation("/x"))
        .isEqualTo("http://h:1/v1/x");
    assertThat(ProviderConfig.of("a", "http://h/v1?v=2", "").operation("/x"))
        .isEqualTo("http://h/v1/x?v=2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ftp://h", "h:80", "http://", "http://u:pw@h", "http://h/#a", "http://h h"})
  @DisplayName("an address that is not plain HTTP is refused without being repeated")
  void badAddress(String url) {
    assertThatThrownBy(() -> ProviderConfig.of("main", url, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("main.baseUrl")
        .hasMessageNotContaining("pw@");
  }

  @Test
  @DisplayName("a key that would break a header is refused without being repeated")
  void badKey() {
    assertThatThrownBy(() -> ProviderConfig.of("main", "http://h", "sk-1\r\nx"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("main.apiKey")
        .hasMessageNotContaining("sk-1");
  }

  @Test
  @DisplayName("names, models and limits out of range name the key, the value and the rule")
  void badValues() {
    assertThatThrownBy(() -> ProviderConfig.of("Main!", "http://h", ""))
        .hasMessageContaining("a provider's name is \"Main!\"");
    assertThatThrownBy(() -> ModelConfig.of("main", " ")).hasMessageContaining("models. ");
    assertThatThrownBy(() -> new ClientLimits(0, 1, 1, Duration.ofSeconds(1), 100, 100, 100))
        .hasMessage("upstream.maxConnections is 0; it must be 1 to 10000");
  }

  @Test
  @DisplayName("deadlines must be positive, and the total the longest")
  void deadlines() {
    Duration second = Duration.ofSeconds(1);
    Duration two = Duration.ofSeconds(2);
    assertThat(new Deadlines(two, two, second, second, second).firstDelta()).isEqualTo(second);
    assertThatThrownBy(() -> new Deadlines(second, second, two, two, second))
        .hasMessage("openai.total is 1s; it must be at least openai.firstDelta, 2s");
    Duration hour = Duration.ofHours(1);
    assertThatThrownBy(() -> new Deadlines(Duration.ofSeconds(61), hour, hour, hour, hour))
        .hasMessage("openai.connect is 61s; it must be 1ms to 1m");
    assertThatThrownBy(() -> new Deadlines(second, second, second, Duration.ZERO, second))
        .hasMessage("openai.stall is 0s; it must be 1ms to 1h");
  }
}
