package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counted weeks and weekdays of a month or a year: "the first week of October", "week 12", "the third
 * Wednesday of last month", and the week of a day. A week belongs to the month and the year of its
 * Thursday (ISO 8601).
 */
final class Weeks {
  private static final Set<String> OF = Set.of("of", "in", "de", "del", ",", "on");
  private static final Set<String> LAST = Set.of("last", "ultimo", "ultima");
  private static final Set<String> STARTING =
      Set.of("of", "starting", "beginning", "de", "del", "that");

  private Weeks() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return t.once("weeks", i, Weeks::read);
  }

  private static @Nullable Parsed read(Tokens t, int i) {
    int start = t.is(i, "the") || t.is(i, "la") || t.is(i, "el") ? i + 1 : i;
    return Rules.longest(numbered(t, start), ofDay(t, start), ordinal(t, start));
  }

  /** "week 12", "week 27 of last year", "week 3 of 2027". */
  private static @Nullable Parsed numbered(Tokens t, int i) {
    boolean named = t.is(i, "week") || t.is(i, "semana");
    boolean number = named && t.digits(i + 1) >= 1 && t.digits(i + 1) <= 2 && !t.is(i + 2, ":");
    if (!number || t.value(i + 1) < 1 || t.value(i + 1) > 53) {
      return null;
    }
    int week = t.value(i + 1);
    Parsed year = container(t, i + 2);
    return year == null
        ? Parsed.fixed(i + 2, (now, tense) -> ofYear(now.today(), week))
        : Parsed.fixed(year.end(), (now, tense) -> {
          Span span = year.reading().at(now, tense);
          return span == null || span.grain() != Grain.YEAR
              ? null
              : ofYear(span.date().plusDays(10), week);
        });
  }

  private static Span ofYear(LocalDate inYear, int week) {
    LocalDate first = Grain.WEEK.floor(LocalDate.of(inYear.get(IsoFields.WEEK_BASED_YEAR), 1, 4));
    return Grain.WEEK.around(first, week - 1L);
  }

  /** "the week of the 18th", "the week starting February 4". */
  private static @Nullable Parsed ofDay(Tokens t, int i) {
    boolean named = (t.is(i, "week") || t.is(i, "semana")) && t.in(i + 1, STARTING);
    Parsed day = named ? Expressions.day(t, t.skip(i + 2, Set.of("on", "from", "the"))) : null;
    Parsed article = named ? Expressions.day(t, i + 2) : null;
    Parsed best = Rules.longest(day, article);
    return best == null
        ? null
        : new Parsed(
            best.end(),
            (now, tense) -> {
              Span span = best.reading().at(now, tense);
              return span == null ? null : Grain.WEEK.around(span.date(), 0);
            },
            best.floating(),
            Parsed.Shape.CALENDAR);
  }

  /** "the first week of Oct", "the last 3 weeks of this year", "the first Friday of next month". */
  private static @Nullable Parsed ordinal(Tokens t, int i) {
    Num nth = t.in(i, LAST) ? new Num(-1, i + 1) : Numbers.ordinal(t, i);
    if (nth == null) {
      return null;
    }
    Num many = Numbers.cardinal(t, nth.end());
    int noun = many == null ? nth.end() : many.end();
    int count = many == null ? 1 : many.value();
    Grain unit = Vocabulary.unit(t, noun);
    DayOfWeek weekday = many == null ? Vocabulary.weekday(t, noun) : null;
    boolean whole =
        unit == Grain.WEEK || (unit == Grain.MONTH && (many != null || nth.value() < 0));
    if (!whole && unit != Grain.DAY && weekday == null) {
      return null;
    }
    Parsed of = container(t, noun + 1);
    if (of == null) {
      return weekday == null || nth.value() < 0
          ? null
          : Parsed.fixed(noun + 1, (now, tense) -> weekday(now.today(), weekday, nth.value()));
    }
    return new Parsed(
        of.end(),
        (now, tense) -> {
          Span span = of.reading().at(now, tense);
          if (span == null) {
            return null;
          }
          return weekday != null
              ? weekday(span.date(), weekday, nth.value())
              : pick(span, unit == null ? Grain.DAY : unit, nth.value(), count);
        },
        of.floating(),
        Parsed.Shape.CALENDAR);
  }

  /** What weeks are counted in: a month, a year. */
  private static @Nullable Parsed container(Tokens t, int i) {
    int at = t.skip(i, OF);
    Parsed named = Months.at(t, at);
    Parsed month = Periods.month(t, at);
    Parsed year = Periods.year(t, at);
    return Rules.longest(named, month, year);
  }

  private static @Nullable Span weekday(LocalDate inMonth, DayOfWeek day, int nth) {
    if (nth > 5) {
      return null;
    }
    LocalDate date = inMonth.with(TemporalAdjusters.dayOfWeekInMonth(nth, day));
    return date.getMonth() == inMonth.getMonth() ? Span.day(date) : null;
  }

  /** The nth run of weeks, months or days of a span, counted from its end when negative. */
  private static @Nullable Span pick(Span span, Grain unit, int nth, int count) {
    LocalDate start = span.date();
    LocalDate end = span.end().toLocalDate();
    if (unit == Grain.WEEK) { // from the first Thursday's week to the last one's
      start = Grain.WEEK.floor(start.with(TemporalAdjusters.nextOrSame(DayOfWeek.THURSDAY)));
      end = Grain.WEEK
          .floor(end.with(TemporalAdjusters.previous(DayOfWeek.THURSDAY)))
          .plusWeeks(1);
    }
    LocalDate first = nth < 0 ? unit.plus(end, -count) : unit.plus(start, (nth - 1L) * count);
    LocalDate last = unit.plus(first, count);
    boolean inside = !first.isBefore(start) && ChronoUnit.DAYS.between(last, end) >= 0 && count > 0;
    return inside ? Span.days(first, last, count == 1 ? unit : Grain.OTHER) : null;
  }
}
