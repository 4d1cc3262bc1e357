package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The day that a message names")
class PlanWordsTest {
  private static final TimeRange SATURDAY = new TimeRange(
      Instant.parse("2026-09-12T06:00:00Z"),
      Instant.parse("2026-09-13T06:00:00Z"),
      ZoneId.of("America/Mexico_City"));

  @ParameterizedTest(name = "{1}, written at {0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-09-08T12:00:00Z|see you saturday|true",
        "2026-09-11T12:00:00Z|dinner tomorrow at 8?|true",
        "2026-09-12T18:00:00Z|tonight then|true",
        "2026-09-08T12:00:00Z|¿cenamos el sábado?|true",
        "2026-09-01T12:00:00Z|the 12th of September works|true",
        "2026-09-01T12:00:00Z|el 12 de septiembre|true",
        "2026-09-08T12:00:00Z|this weekend we go hiking|true",
        "2026-08-20T12:00:00Z|see you saturday|false",
        "2026-09-10T12:00:00Z|dinner tomorrow at 8?|false",
        "2026-09-08T12:00:00Z|see you sunday|false",
        "2026-09-08T12:00:00Z|some time this month|false",
        "2026-09-08T12:00:00Z|see you soon|false"
      })
  void named(Instant at, String text, boolean expected) {
    assertThat(PlanWords.names(text, at, SATURDAY)).isEqualTo(expected);
  }
}
