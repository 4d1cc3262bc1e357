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
        "0;64;8;PT1S;PT30S;PT1S;PT5M;3;5;concurrency is 0; it must be 1 to 64",
        "1;513;8;PT1S;PT30S;PT1S;PT5M;3;5;batchSize is 513; it must be 1 to 512",
        "1;64;0;PT1S;PT30S;PT1S;PT5M;3;5;batchesPerClaim is 0; it must be 1 to 1000",
        "1;64;8;PT0S;PT30S;PT1S;PT5M;3;5;pollInterval is 0s; it must be 10ms to 1d",
        "1;64;8;PT1S;PT0.5S;PT1S;PT5M;3;5;lease is 500ms; it must be 1s to 1d",
        "1;64;8;PT1S;PT30S;PT0S;PT5M;3;5;retryBase is 0s; it must be 1ms to 1d",
        "1;64;8;PT1S;PT30S;PT2S;PT1S;3;5;retryCeiling is 1s; it must be at least indexing.retryBase, 2s",
        "1;64;8;PT1S;PT30S;PT1S;PT5M;0;5;textAttempts is 0; it must be 1 to 100",
        "1;64;8;PT1S;PT30S;PT1S;PT5M;3;101;visibleAfter is 101; it must be 1 to 100"
      })
  void outOfRange(
      int concurrency,
      int batchSize,
      int batches,
      Duration poll,
      Duration lease,
      Duration base,
      Duration ceiling,
      int textAttempts,
      int visibleAfter,
      String said,
      String rule) {
    assertThatThrownBy(() -> new IndexingConfig(
            concurrency,
            batchSize,
            batches,
            poll,
            lease,
            base,
            ceiling,
            textAttempts,
            visibleAfter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("indexing." + said + "; " + rule);
  }

  @Test
  @DisplayName("a batch of the default size satisfies 32 texts a call")
  void defaults() {
    assertThat(IndexingConfig.DEFAULT.batchSize()).isBetween(32, 100);
  }
}
