package dev.askgateway.provider.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CheckTableTest {
  @Test
  @DisplayName("results stand in columns, the numbers to the right, with no blanks at the end")
  void columns() {
    assertThat(CheckTable.of(List.of(
            Result.passed("streaming", "12 text events, one end", 1_204),
            Result.failed("tools", "no call", 87),
            Result.skipped("embedding dimensions", ""))))
        .isEqualTo("""
            check                 result     ms  detail
            streaming             passed   1204  12 text events, one end
            tools                 failed     87  no call
            embedding dimensions  skipped     0
            """);
  }

  @Test
  @DisplayName("no results are a heading alone")
  void nothing() {
    assertThat(CheckTable.of(List.of())).isEqualTo("check  result  ms  detail\n");
  }
}
