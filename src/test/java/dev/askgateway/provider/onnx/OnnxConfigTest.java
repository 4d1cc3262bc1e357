package dev.askgateway.provider.onnx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnnxConfigTest {

  @ParameterizedTest
  @DisplayName("a value out of range is refused with its key, the value and the rule")
  @CsvSource({
    "0, 1, 1, 1, queryThreads is 0; it must be 1 to 64",
    "1, 65, 1, 1, passageThreads is 65; it must be 1 to 64",
    "1, 1, 0, 1, queryQueue is 0; it must be 1 to 100000",
    "1, 1, 1, 100001, passageQueue is 100001; it must be 1 to 100000"
  })
  void outOfRange(int queryThreads, int passageThreads, int queries, int passages, String said) {
    assertThatThrownBy(() -> new OnnxConfig(queryThreads, passageThreads, queries, passages))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("embedding." + said);
  }
}
