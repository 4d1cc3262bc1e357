package dev.askgateway.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.provider.DataPolicy.Mode;
import dev.askgateway.provider.DataPolicy.Retention;
import dev.askgateway.provider.http.ClientLimits;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
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
        .hasMessage(
            "providers.Main! is \"Main!\"; it must be letters, digits and . _ -, at most 60");
    assertThatThrownBy(() -> ModelConfig.of("main", " ")).hasMessageContaining("models. ");
    for (double margin : new double[] {-1, 0.5, 10.5, Double.NaN}) {
      assertThatThrownBy(() -> new ModelConfig(
              "m",
              "main",
              "m",
              Capabilities.TEXT,
              ModelConfig.MaxTokensMember.MAX_TOKENS,
              true,
              margin,
              1))
          .hasMessage("models.m.tokenMargin is " + margin + "; it must be 0, or 1 to 10");
    }
    assertThatThrownBy(() -> new ClientLimits(0, 1, 1, Duration.ofSeconds(1), 100, 100, 100))
        .hasMessage("upstream.maxConnections is 0; it must be 1 to 10000");
  }

  @Test
  @DisplayName("deadlines must be positive, and the total the longest")
  void deadlines() {
    Duration second = Duration.ofSeconds(1);
    Duration two = Duration.ofSeconds(2);
    assertThat(new Deadlines(two, two, second, second, second))
        .satisfies(fits -> assertThat(Profile.of("p", fits, "m").deadlines()).isEqualTo(fits));
    Duration hour = Duration.ofHours(1);
    refused(new Deadlines(second, second, two, two, second))
        .hasMessage("profiles.p.total is 1s; it must be at least profiles.p.firstDelta, 2s");
    refused(new Deadlines(Duration.ofSeconds(61), hour, hour, hour, hour))
        .hasMessage("profiles.p.connect is 61s; it must be 1ms to 1m");
    refused(new Deadlines(second, second, second, Duration.ZERO, second))
        .hasMessage("profiles.p.stall is 0s; it must be 1ms to 1h");
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refused(Deadlines deadlines) {
    return assertThatThrownBy(() -> Profile.of("p", deadlines, "m"));
  }

  @Test
  @DisplayName("a profile has models, each once")
  void profileModels() {
    assertThatThrownBy(() -> Profile.of("p", Deadlines.DEFAULT))
        .hasMessage("profiles.p.models is empty; it must be at least one of models");
    assertThatThrownBy(() -> Profile.of("p", Deadlines.DEFAULT, "a", "b", "a"))
        .hasMessage("profiles.p.models is [a, b, a]; it must be each model once");
  }

  @Test
  @DisplayName(
      "what runs in this process satisfies any data policy, another server its own and looser")
  void policies() {
    DataPolicy strict = new DataPolicy(Mode.BYOK, Retention.NONE, "eu");
    ProviderConfig here =
        ProviderConfig.of("quote", Dialect.EXTRACTIVE, "", "", ProviderConfig.KeyHeader.BEARER);
    assertThat(here.satisfies(strict)).isTrue();
    ProviderConfig there = ProviderConfig.of("a", "http://h", "");
    assertThat(there.satisfies(strict)).isFalse();
    assertThat(there.satisfies(new DataPolicy(Mode.MANAGED, Retention.PROVIDER_POLICY, "")))
        .isTrue();
    assertThat(there.satisfies(new DataPolicy(Mode.MANAGED, Retention.TRANSIENT, "")))
        .isFalse();
    assertThat(there.satisfies(new DataPolicy(Mode.MANAGED, Retention.PROVIDER_POLICY, "eu")))
        .isFalse();
    assertThat(there.satisfies(new DataPolicy(Mode.LOCAL, Retention.PROVIDER_POLICY, "")))
        .isFalse();
  }
}
