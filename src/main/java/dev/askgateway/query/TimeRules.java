package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of time expressions, English and Spanish, over folded text. The rules are tried in
 * order; an earlier one wins.
 */
final class TimeRules {

  /** What a match means, or null when it names no real time ("2026-02-30"). */
  interface Reading {
    @Nullable
    TimeRange of(Matcher match, Calendar calendar, Tense tense);
  }

  /**
   * @param spoken whether "for" or "about" before it makes it the date of an event; false for
   *     stretches ("for the past two days")
   */
  record Rule(Pattern pattern, boolean spoken, Reading reading) {}

  private static final Map<String, Integer> COUNTS = Map.ofEntries(
      Map.entry("couple", 2),
      Map.entry("par", 2),
      Map.entry("few", 3),
      Map.entry("pocos", 3),
      Map.entry("pocas", 3),
      Map.entry("one", 1),
      Map.entry("a", 1),
      Map.entry("an", 1),
      Map.entry("un", 1),
      Map.entry("una", 1),
      Map.entry("two", 2),
      Map.entry("dos", 2),
      Map.entry("three", 3),
      Map.entry("tres", 3),
      Map.entry("four", 4),
      Map.entry("cuatro", 4),
      Map.entry("five", 5),
      Map.entry("cinco", 5),
      Map.entry("six", 6),
      Map.entry("seis", 6),
      Map.entry("seven", 7),
      Map.entry("siete", 7),
      Map.entry("eight", 8),
      Map.entry("ocho", 8),
      Map.entry("nine", 9),
      Map.entry("nueve", 9),
      Map.entry("ten", 10),
      Map.entry("diez", 10));

  private static final Map<String, DayOfWeek> DAYS = Map.ofEntries(
      Map.entry("monday", DayOfWeek.MONDAY), Map.entry("lunes", DayOfWeek.MONDAY),
      Map.entry("tuesday", DayOfWeek.TUESDAY), Map.entry("martes", DayOfWeek.TUESDAY),
      Map.entry("wednesday", DayOfWeek.WEDNESDAY), Map.entry("miercoles", DayOfWeek.WEDNESDAY),
      Map.entry("thursday", DayOfWeek.THURSDAY), Map.entry("jueves", DayOfWeek.THURSDAY),
      Map.entry("friday", DayOfWeek.FRIDAY), Map.entry("viernes", DayOfWeek.FRIDAY),
      Map.entry("saturday", DayOfWeek.SATURDAY), Map.entry("sabado", DayOfWeek.SATURDAY),
      Map.entry("sunday", DayOfWeek.SUNDAY), Map.entry("domingo", DayOfWeek.SUNDAY));

  private static final String DATE = "(\\d{4}-\\d{2}-\\d{2})(?!\\d)";
  private static final String COUNT = "(\\d{1,3}|" + String.join("|", COUNTS.keySet()) + ")";
  private static final String UNIT =
      "(hours?|horas?|days?|dias?|weeks?|semanas?|months?|mes(?:es)?)";
  private static final String DAY = "(" + String.join("|", DAYS.keySet()) + ")";

  /** Where "before X" begins and "after X" may not go beyond: wide enough for any message. */
  private static final Instant BEGINNING = Instant.EPOCH;

  static final List<Rule> ALL = List.of(
      rule(
          true,
          "(?<![\\d-])" + DATE + "\\s?(?:to|and|until|till|through|-|–|\\.\\.|/|a|al|y|hasta)\\s?"
              + DATE,
          (m, c, t) -> dates(c, date(m, 1), date(m, 2))),
      rule(false, "\\b(?:since|desde) (?:el )?" + DATE, (m, c, t) -> open(c, date(m, 1), c.at())),
      rule(
          false,
          "\\b(?:before|until|till|antes de|hasta) (?:el )?" + DATE,
          (m, c, t) -> upTo(c, date(m, 1))),
      rule(true, "(?<![\\d-])" + DATE, (m, c, t) -> dates(c, date(m, 1), date(m, 1))),
      rule(
          false,
          "\\b(?:past|last|previous|ultim[oa]s) (?:a )?" + COUNT + " (?:of )?(?:de )?" + UNIT
              + "\\b",
          (m, c, t) -> stretch(c, count(m.group(1)), m.group(2))),
      rule(false, "\\b(?:past|ultim[oa]) " + UNIT + "\\b", (m, c, t) -> stretch(c, 1, m.group(1))),
      rule(true, "\\b" + COUNT + " days ago\\b", (m, c, t) -> ago(c, count(m.group(1)))),
      rule(true, "\\bhace " + COUNT + " dias?\\b", (m, c, t) -> ago(c, count(m.group(1)))),
      rule(
          true,
          "\\b(?:last|previous) weekend\\b|\\bfin de semana pasado\\b",
          (m, c, t) -> c.weekend(-1)),
      rule(true, "\\bnext weekend\\b|\\bproximo fin de semana\\b", (m, c, t) -> c.weekend(1)),
      rule(true, "\\bthis weekend\\b|\\beste fin de semana\\b", (m, c, t) -> c.weekend(0)),
      rule(
          true,
          "\\bweekend\\b|\\bfin de semana\\b",
          (m, c, t) -> c.weekend(t == Tense.PAST && !c.isWeekend() ? -1 : 0)),
      rule(true, "\\b(?:last|previous) week\\b|\\bsemana pasada\\b", (m, c, t) -> c.week(-1)),
      rule(
          true,
          "\\bnext week\\b|\\bproxima semana\\b|\\bsemana que viene\\b",
          (m, c, t) -> c.week(1)),
      rule(true, "\\bthis week\\b|\\besta semana\\b", (m, c, t) -> c.week(0)),
      rule(true, "\\b(?:last|previous) month\\b|\\bmes pasado\\b", (m, c, t) -> c.month(-1)),
      rule(true, "\\bthis month\\b|\\beste mes\\b", (m, c, t) -> c.month(0)),
      rule(
          true,
          "\\b(?:last|past|previous) " + DAY + "\\b|\\b" + DAY + " pasado\\b",
          (m, c, t) -> c.before(weekday(m))),
      rule(
          true,
          "\\b(?:next|proximo) " + DAY + "\\b|\\b" + DAY + " que viene\\b",
          (m, c, t) -> c.after(weekday(m))),
      rule(true, "\\b(?:this|este) " + DAY + "\\b", (m, c, t) -> c.upcoming(weekday(m))),
      rule(
          true,
          "\\b" + DAY + "\\b",
          (m, c, t) -> t == Tense.PAST ? c.latest(weekday(m)) : c.upcoming(weekday(m))),
      rule(true, "\\bday before yesterday\\b|\\banteayer\\b|\\bantier\\b", (m, c, t) -> ago(c, 2)),
      rule(true, "\\byesterday\\b|\\bayer\\b", (m, c, t) -> ago(c, 1)),
      rule(true, "\\bday after tomorrow\\b|\\bpasado manana\\b", (m, c, t) -> ago(c, -2)),
      // "esta mañana" and "por la mañana" are the morning.
      rule(true, "\\btomorrow\\b|(?<!\\besta )(?<!\\bla )\\bmanana\\b", (m, c, t) -> ago(c, -1)),
      rule(true, "\\btoday\\b|\\btonight\\b|\\bhoy\\b|\\besta noche\\b", (m, c, t) -> ago(c, 0)));

  private TimeRules() {}

  private static Rule rule(boolean spoken, String pattern, Reading reading) {
    return new Rule(Pattern.compile(pattern), spoken, reading);
  }

  private static @Nullable TimeRange dates(
      Calendar calendar, @Nullable LocalDate first, @Nullable LocalDate last) {
    if (first == null || last == null) {
      return null;
    }
    // People name the last day they mean; the range ends where that day does.
    return first.isAfter(last)
        ? calendar.days(last, first.plusDays(1))
        : calendar.days(first, last.plusDays(1));
  }

  private static @Nullable TimeRange open(
      Calendar calendar, @Nullable LocalDate first, Instant end) {
    if (first == null) {
      return null;
    }
    Instant start = first.atStartOfDay(calendar.zone()).toInstant();
    return start.isBefore(end) ? new TimeRange(start, end, calendar.zone()) : null;
  }

  private static @Nullable TimeRange upTo(Calendar calendar, @Nullable LocalDate date) {
    if (date == null) {
      return null;
    }
    Instant end = date.atStartOfDay(calendar.zone()).toInstant();
    return BEGINNING.isBefore(end) ? new TimeRange(BEGINNING, end, calendar.zone()) : null;
  }

  private static TimeRange ago(Calendar calendar, int days) {
    return calendar.day(calendar.today().minusDays(days));
  }

  private static @Nullable TimeRange stretch(Calendar calendar, int count, String unit) {
    if (count < 1) {
      return null;
    }
    return switch (unit.charAt(0)) {
      case 'h' -> calendar.upToNow(Duration.ofHours(count));
      case 'd' -> calendar.upToNow(Duration.ofDays(count));
      case 'w', 's' -> calendar.upToNow(Duration.ofDays(7L * count));
      default -> calendar.monthsUpToNow(count);
    };
  }

  private static int count(String word) {
    Integer named = COUNTS.get(word);
    return named == null ? Integer.parseInt(word) : named;
  }

  private static DayOfWeek weekday(Matcher match) {
    for (int group = 1; group <= match.groupCount(); group++) {
      DayOfWeek day = match.group(group) == null ? null : DAYS.get(match.group(group));
      if (day != null) {
        return day;
      }
    }
    throw new IllegalStateException("a weekday rule without a weekday");
  }

  private static @Nullable LocalDate date(Matcher match, int group) {
    try {
      LocalDate date = LocalDate.parse(match.group(group));
      return date.getYear() >= 1970 && date.getYear() < 2200 ? date : null;
    } catch (DateTimeException noSuchDay) {
      return null;
    }
  }
}
