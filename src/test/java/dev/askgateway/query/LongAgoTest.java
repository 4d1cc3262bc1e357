package dev.askgateway.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A time long ago")
class LongAgoTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  /** A Tuesday. */
  private static final Instant TUESDAY = Instant.parse("2026-09-08T12:00:00Z");

  private final QueryCompiler compiler = new QueryCompiler();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Where did Caroline move from 4 years ago? | 2022-01-01T00:00:00Z | 2023-01-01T00:00:00Z",
        "What did Ana's family see on the camping trip last year? | 2025-01-01T00:00:00Z | 2026-01-01T00:00:00Z",
        "Where was the trip with Max last summer? | 2026-06-01T00:00:00Z | 2026-09-01T00:00:00Z",
        "Which company did Luis leave a decade ago? | 2010-01-01T00:00:00Z | 2020-01-01T00:00:00Z",
        "Which company did Luis leave 18 months ago? | 2025-03-01T00:00:00Z | 2025-04-01T00:00:00Z",
        "¿De dónde se mudó Ana hace cuatro años? | 2022-01-01T00:00:00Z | 2023-01-01T00:00:00Z",
        "¿Dónde acampó Ana el año pasado? | 2025-01-01T00:00:00Z | 2026-01-01T00:00:00Z",
      })
  @DisplayName("of something that happened bounds no messages, since it may be told today:")
  void toldLater(String question, Instant start, Instant end) {
    QueryPlan plan = compiler.compile(question, TUESDAY, UTC);
    assertThat(plan.timeRange()).isEqualTo(new TimeRange(start, end, UTC));
    assertThat(plan.filtersMessages()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "What did Caroline say about moving 4 years ago?",
        "Which address did Caroline send me last year?",
        "any messages about the camping trip last year?",
        "¿qué me dijo Ana del viaje el año pasado?",
        "What happened last year?",
        "What did Ana do last year?",
        "Where did we camp this year?",
        "Where did we camp in the past two years?",
        "Where did we camp since last year?",
        "Where did we camp in 2024?",
        "Where did we camp in the summer?",
        "Where did we camp last month?",
        "Where did we camp two weeks ago?",
      })
  @DisplayName(
      "of something that was said, alone, up to now, with its own number, or shorter than a season bounds messages:")
  void toldThen(String question) {
    assertThat(compiler.compile(question, TUESDAY, UTC).filtersMessages()).isTrue();
  }

  @Test
  @DisplayName("comes after the day on which it was mentioned")
  void mentionedOnADay() {
    QueryPlan plan = compiler.compile(
        "What did Audrey find on a hike a few years back, as mentioned on June 26, 2023?",
        TUESDAY,
        UTC);
    assertThat(plan.timeRange().start()).isEqualTo(Instant.parse("2023-06-26T00:00:00Z"));
    assertThat(plan.filtersMessages()).isTrue();
  }
}
