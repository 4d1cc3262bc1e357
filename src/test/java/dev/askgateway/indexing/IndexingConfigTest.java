package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexingConfigTest {

  @ParameterizedTest
  @DisplayName("a value out of range is refused with its key, the value and the rule")
  @CsvSource(
      delimiter = ';',
      value = {
        "0;32;64;1000;8;PT1S;PT30S;PT1S;PT5M;3;5;PT2S;concurrency is 0; it must be 1 to 64",
        "1;32;513;1000;8;PT1S;PT30S;PT1S;PT5M;3;5;PT2S;batchSize is 513; it must be 1 to 512",
        "1;0;64;1000;8;PT1S;PT30S;PT1S;PT5M;3;5;PT2S;persons is 0; it must be 1 to 512",
        "1;32;64;511;8;PT1S;PT30S;PT1S;PT5M;3;5;PT2S;batchTokens is 511; it must be 512 to 10000000",
        "1;32;64;1000;8;PT1S;PT30S;PT1S;PT5M;3;5;PT11S;versionInterval is 11s; it must be 50ms to 10s",
        "1;32;64;1000;0;PT1S;PT30S;PT1S;PT5M;3;5;PT2S;batchesPerClaim is 0; it must be 1 to 1000",
        "1;32;64;1000;8;PT0S;PT30S;PT1S;PT5M;3;5;PT2S;pollInterval is 0s; it must be 10ms to 1d",
        "1;32;64;1000;8;PT1S;PT0.5S;PT1S;PT5M;3;5;PT2S;lease is 500ms; it must be 1s to 1d",
        "1;32;64;1000;8;PT1S;PT30S;PT0S;PT5M;3;5;PT2S;retryBase is 0s; it must be 1ms to 1d",
        "1;32;64;1000;8;PT1S;PT30S;PT2S;PT1S;3;5;PT2S;retryCeiling is 1s; it must be at least indexing.retryBase, 2s",
        "1;32;64;1000;8;PT1S;PT30S;PT1S;PT5M;0;5;PT2S;textAttempts is 0; it must be 1 to 100",
        "1;32;64;1000;8;PT1S;PT30S;PT1S;PT5M;3;101;PT2S;visibleAfter is 101; it must be 1 to 100"
      })
  void outOfRange(
      int concurrency,
      int persons,
      int batchSize,
      int batchTokens,
      int batches,
      Duration poll,
      Duration lease,
      Duration base,
      Duration ceiling,
      int textAttempts,
      int visibleAfter,
      Duration versionInterval,
      String said,
      String rule) {
    assertThatThrownBy(() -> new IndexingConfig(
            concurrency,
            persons,
            batchSize,
            batchTokens,
            batches,
            poll,
            lease,
            base,
            ceiling,
            textAttempts,
            visibleAfter,
            versionInterval))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("indexing." + said + "; " + rule);
  }

  @Test
  @DisplayName("a batch of the default size satisfies 32 texts a call")
  void defaults() {
    assertThat(IndexingConfig.DEFAULT.batchSize()).isBetween(32, 100);
  }
}
