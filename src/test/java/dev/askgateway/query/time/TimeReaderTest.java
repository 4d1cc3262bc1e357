package dev.askgateway.query.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeReaderTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  /** A Tuesday. */
  private static final Instant TUESDAY = Instant.parse("2026-09-08T12:00:00Z");

  private static List<TimeReader.Expression> read(String text, Instant at, ZoneId zone) {
    return new TimeReader(at, zone, false).read(text);
  }

  private static TimeRange only(String text, Tense tense) {
    List<TimeReader.Expression> found = read(text, TUESDAY, UTC);
    assertThat(found).as(text).hasSize(1);
    return found.get(0).range(tense);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "march 5 | 2026-03-05T00:00:00Z | 2026-03-06T00:00:00Z",
        "5 march 2024 | 2024-03-05T00:00:00Z | 2024-03-06T00:00:00Z",
        "5 de marzo de 2024 | 2024-03-05T00:00:00Z | 2024-03-06T00:00:00Z",
        "3/5/2024 | 2024-03-05T00:00:00Z | 2024-03-06T00:00:00Z",
        "23.04.2022 | 2022-04-23T00:00:00Z | 2022-04-24T00:00:00Z",
        "oct 2 | 2025-10-02T00:00:00Z | 2025-10-03T00:00:00Z",
        "the 5th | 2026-09-05T00:00:00Z | 2026-09-06T00:00:00Z",
        "the 20th of last month | 2026-08-20T00:00:00Z | 2026-08-21T00:00:00Z",
        "feb 29 | 2024-02-29T00:00:00Z | 2024-03-01T00:00:00Z",
        "in june | 2026-06-01T00:00:00Z | 2026-07-01T00:00:00Z",
        "in october | 2025-10-01T00:00:00Z | 2025-11-01T00:00:00Z",
        "en marzo | 2026-03-01T00:00:00Z | 2026-04-01T00:00:00Z",
        "early may | 2026-05-01T00:00:00Z | 2026-05-16T00:00:00Z",
        "the end of march | 2026-03-16T00:00:00Z | 2026-04-01T00:00:00Z",
        "a mediados de julio | 2026-07-10T00:00:00Z | 2026-07-21T00:00:00Z",
        "last summer | 2026-06-01T00:00:00Z | 2026-09-01T00:00:00Z",
        "this summer | 2026-06-01T00:00:00Z | 2026-09-01T00:00:00Z",
        "el verano pasado | 2026-06-01T00:00:00Z | 2026-09-01T00:00:00Z",
        "q1 2026 | 2026-01-01T00:00:00Z | 2026-04-01T00:00:00Z",
        "last year | 2025-01-01T00:00:00Z | 2026-01-01T00:00:00Z",
        "el ano pasado | 2025-01-01T00:00:00Z | 2026-01-01T00:00:00Z",
        "in 2019 | 2019-01-01T00:00:00Z | 2020-01-01T00:00:00Z",
        "the 1990s | 1990-01-01T00:00:00Z | 2000-01-01T00:00:00Z",
        "saturday night | 2026-09-05T18:00:00Z | 2026-09-06T04:00:00Z",
        "yesterday morning | 2026-09-07T05:00:00Z | 2026-09-07T12:00:00Z",
        "last night | 2026-09-07T18:00:00Z | 2026-09-08T04:00:00Z",
        "anoche | 2026-09-07T18:00:00Z | 2026-09-08T04:00:00Z",
        "esta manana | 2026-09-08T05:00:00Z | 2026-09-08T12:00:00Z",
        "ayer por la tarde | 2026-09-07T12:00:00Z | 2026-09-07T18:00:00Z",
        "yesterday at 5pm | 2026-09-07T16:30:00Z | 2026-09-07T17:30:00Z",
        "yesterday between 3 and 5pm | 2026-09-07T15:00:00Z | 2026-09-07T17:00:00Z",
        "between 9 and 11am yesterday | 2026-09-07T09:00:00Z | 2026-09-07T11:00:00Z",
        "ayer a las 5 de la tarde | 2026-09-07T16:30:00Z | 2026-09-07T17:30:00Z",
        "from august 3 to august 7 | 2026-08-03T00:00:00Z | 2026-08-08T00:00:00Z",
        "between 11 and 13 september | 2025-09-11T00:00:00Z | 2025-09-14T00:00:00Z",
        "entre el 3 y el 7 de marzo | 2026-03-03T00:00:00Z | 2026-03-08T00:00:00Z",
        "from nov to feb 2026 | 2025-11-01T00:00:00Z | 2026-03-01T00:00:00Z",
        "since march | 2026-03-01T00:00:00Z | 2026-09-08T12:00:00Z",
        "desde el lunes | 2026-09-07T00:00:00Z | 2026-09-08T12:00:00Z",
        "until august 5 | 1970-01-01T00:00:00Z | 2026-08-06T00:00:00Z",
        "before august 5 | 1970-01-01T00:00:00Z | 2026-08-05T00:00:00Z",
        "after august 5 | 2026-08-06T00:00:00Z | 2026-09-08T12:00:00Z",
        "the week of august 5 | 2026-08-03T00:00:00Z | 2026-08-10T00:00:00Z",
        "week 12 | 2026-03-16T00:00:00Z | 2026-03-23T00:00:00Z",
        "the first week of june | 2026-06-01T00:00:00Z | 2026-06-08T00:00:00Z",
        "the third wednesday of last month | 2026-08-19T00:00:00Z | 2026-08-20T00:00:00Z",
        "last christmas | 2025-12-25T00:00:00Z | 2025-12-26T00:00:00Z",
        "at christmas | 2025-12-25T00:00:00Z | 2025-12-26T00:00:00Z",
        "new year's eve | 2025-12-31T00:00:00Z | 2026-01-01T00:00:00Z",
        "dia de muertos | 2025-11-02T00:00:00Z | 2025-11-03T00:00:00Z",
        "the 4th of july | 2026-07-04T00:00:00Z | 2026-07-05T00:00:00Z",
        "thanksgiving | 2025-11-27T00:00:00Z | 2025-11-28T00:00:00Z",
        "easter | 2026-04-05T00:00:00Z | 2026-04-06T00:00:00Z",
        "mother's day | 2026-05-10T00:00:00Z | 2026-05-11T00:00:00Z",
        "3 hours ago | 2026-09-08T08:30:00Z | 2026-09-08T09:30:00Z",
        "two weeks ago | 2026-08-24T00:00:00Z | 2026-08-31T00:00:00Z",
        "hace dos meses | 2026-07-01T00:00:00Z | 2026-08-01T00:00:00Z",
        "a year ago | 2025-01-01T00:00:00Z | 2026-01-01T00:00:00Z",
        "the last 24 hours | 2026-09-07T12:00:00Z | 2026-09-08T12:00:00Z",
        "in the past two years | 2024-09-08T12:00:00Z | 2026-09-08T12:00:00Z",
        "earlier this week | 2026-09-07T00:00:00Z | 2026-09-08T00:00:00Z",
      })
  @DisplayName("looking back on a Tuesday,")
  void back(String text, Instant start, Instant end) {
    assertThat(only(text, Tense.PAST)).isEqualTo(new TimeRange(start, end, UTC));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "the 5th | 2026-10-05T00:00:00Z | 2026-10-06T00:00:00Z",
        "in june | 2027-06-01T00:00:00Z | 2027-07-01T00:00:00Z",
        "christmas | 2026-12-25T00:00:00Z | 2026-12-26T00:00:00Z",
        "friday night | 2026-09-11T18:00:00Z | 2026-09-12T04:00:00Z",
        "tonight at 8 | 2026-09-08T19:30:00Z | 2026-09-08T20:30:00Z",
        "in two weeks | 2026-09-22T00:00:00Z | 2026-09-23T00:00:00Z",
        "before friday | 2026-09-08T12:00:00Z | 2026-09-11T00:00:00Z",
        "el proximo sabado | 2026-09-19T00:00:00Z | 2026-09-20T00:00:00Z",
      })
  @DisplayName("looking ahead on a Tuesday,")
  void ahead(String text, Instant start, Instant end) {
    assertThat(only(text, Tense.FUTURE)).isEqualTo(new TimeRange(start, end, UTC));
  }

  @ParameterizedTest(name = "{0} on a {1}")
  @CsvSource({
    "monday, MONDAY",
    "tuesday, TUESDAY",
    "wednesday, WEDNESDAY",
    "thursday, THURSDAY",
    "friday, FRIDAY",
    "saturday, SATURDAY",
    "sunday, SUNDAY",
    "lunes, MONDAY",
    "martes, TUESDAY",
    "miercoles, WEDNESDAY",
    "jueves, THURSDAY",
    "viernes, FRIDAY",
    "sabado, SATURDAY",
    "domingo, SUNDAY",
  })
  @DisplayName("one rule holds for all weekdays: last before today, next in next week:")
  void weekdays(String word, java.time.DayOfWeek day) {
    boolean spanish = word.endsWith("s") && !word.endsWith("ys") || word.endsWith("o");
    for (int offset = 0; offset < 7; offset++) {
      Instant at = TUESDAY.plus(Duration.ofDays(offset));
      LocalDate today = LocalDate.ofInstant(at, UTC);
      LocalDate last = date((spanish ? "el ultimo " : "last ") + word, at, Tense.PAST);
      LocalDate next = date((spanish ? "el proximo " : "next ") + word, at, Tense.FUTURE);
      LocalDate bare = date(word, at, Tense.PAST);
      assertThat(List.of(last.getDayOfWeek(), next.getDayOfWeek(), bare.getDayOfWeek()))
          .containsOnly(day);
      assertThat(last).isBefore(today).isAfterOrEqualTo(today.minusDays(7));
      assertThat(Grain.WEEK.floor(next)).isEqualTo(Grain.WEEK.floor(today).plusWeeks(1));
      assertThat(bare).isBeforeOrEqualTo(today).isAfter(today.minusDays(7));
    }
  }

  private static LocalDate date(String text, Instant at, Tense tense) {
    return LocalDate.ofInstant(read(text, at, UTC).get(0).range(tense).start(), UTC);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "you may not",
        "this may rain off",
        "sat there",
        "every monday",
        "each week",
        "call 151-2011-2014",
        "32-2015",
        "feb 30 2019",
        "pay 2000 pesos",
        "$ 12",
        "the second floor",
        "tel +34 2011-2014-52",
        "good morning",
        "20/3.75",
        "one may hope",
        "a 1:1 meeting",
        "for 3 hours",
      })
  @DisplayName("no time is read into")
  void none(String text) {
    assertThat(read(text, TUESDAY, UTC).stream().map(time -> time.range(Tense.PAST)))
        .allMatch(java.util.Objects::isNull);
  }

  @Test
  @DisplayName("Easter falls where the tables say")
  void easter() {
    assertThat(List.of(2000, 2008, 2018, 2019, 2024, 2038).stream().map(Holidays::easterOf))
        .containsExactly(
            LocalDate.of(2000, 4, 23),
            LocalDate.of(2008, 3, 23),
            LocalDate.of(2018, 4, 1),
            LocalDate.of(2019, 4, 21),
            LocalDate.of(2024, 3, 31),
            LocalDate.of(2038, 4, 25));
  }

  @Test
  @DisplayName("a time in the hour that the clocks skip is an hour long all the same")
  void gap() {
    ZoneId york = ZoneId.of("America/New_York");
    Instant at = Instant.parse("2022-03-14T12:00:00Z");
    TimeRange range = read("on 2022-03-13 at 2:30 am", at, york).get(0).range(Tense.PAST);
    assertThat(Duration.between(range.start(), range.end()))
        .isBetween(Duration.ofMinutes(30), Duration.ofHours(1));
    assertThat(range.start()).isEqualTo(Instant.parse("2022-03-13T07:00:00Z"));
  }

  @Test
  @Timeout(60)
  @DisplayName("no text makes it throw or hang, and every range ends after it starts")
  void anyText() {
    Random random = new Random(20);
    List<String> words = List.of(
        "last",
        "next",
        "this",
        "monday",
        "sat",
        "march",
        "may",
        "5",
        "5th",
        "2024",
        "-",
        "/",
        ".",
        ":",
        "to",
        "from",
        "between",
        "and",
        "of",
        "the",
        "week",
        "weeks",
        "month",
        "year",
        "night",
        "morning",
        "at",
        "pm",
        "two",
        "twenty",
        "first",
        "ago",
        "in",
        "before",
        "after",
        "since",
        "until",
        "el",
        "de",
        "la",
        "manana",
        "lunes",
        "pasado",
        "hace",
        "dos",
        "semanas",
        "31",
        "2/29",
        "99",
        "0",
        "q3",
        "'",
        "s",
        "christmas",
        "weekend",
        "end",
        "early",
        "mid",
        "now",
        "today",
        "13",
        "1970",
        "2199",
        "999",
        "decades",
        "starting",
        "on",
        ",",
        "que",
        "viene",
        "easter",
        "half",
        "past",
        "quarter",
        "days",
        "hours",
        "within",
        "for",
        "9999999999",
        "\0");
    List<String> zones = List.of(
        "UTC",
        "Europe/Madrid",
        "Africa/Cairo",
        "Pacific/Apia",
        "America/Sao_Paulo",
        "Pacific/Kiritimati");
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        text.append(words.get(random.nextInt(words.size())))
            .append(random.nextInt(4) == 0 ? "" : " ");
      }
      Instant at = Instant.ofEpochSecond(random.nextInt(2_000_000_000));
      ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
      for (TimeReader.Expression time : read(text.toString(), at, zone)) {
        assertThat(time.start()).isLessThan(time.end());
        for (Tense tense : Tense.values()) {
          TimeRange range = time.range(tense);
          assertThat(range == null || range.start().isBefore(range.end()))
              .as(text.toString())
              .isTrue();
        }
      }
    }
  }

  @Test
  @Timeout(20)
  @DisplayName("a long text of nested counts is read in time")
  void longText() {
    read("two days before ".repeat(4_000), TUESDAY, UTC);
    read("from 3 to ".repeat(4_000), TUESDAY, UTC);
    read("week of ".repeat(4_000), TUESDAY, UTC);
    read("end of the ".repeat(4_000), TUESDAY, UTC);
  }
}
