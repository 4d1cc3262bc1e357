package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Days of a month that is not named: "the 5th", "the 20th of next month", "Thursday the 21st", "el dia 5". */
final class MonthDays {
  private static final Set<String> OF = Set.of("of", "in", "de", "del");

  /** What may follow "the 5th" when it is a day; a noun makes it the fifth of something. */
  static final Set<String> FOLLOWERS = Set.of(
      "at", "in", "from", "between", "before", "after", "until", "to", "through", "and", "or",
      "about", "with", "when", "where", "that", "who", "did", "was", "were", "we", "i", "he", "she",
      "they", "a", "of", "y", "o", "con", "sobre", "de", "desde", "hasta", "around", "on", "for",
      "by");

  private MonthDays() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return Rules.longest(ofMonth(t, i), alone(t, i), withWeekday(t, i));
  }

  /** "the 20th of next month", "the 15th day of the month", "el 5 del mes pasado". */
  private static @Nullable Parsed ofMonth(Tokens t, int i) {
    Num day = Numbers.dayOfMonth(t, article(t, i));
    if (day == null) {
      return null;
    }
    int after = t.is(day.end(), "day") ? day.end() + 1 : day.end();
    Parsed month = t.in(after, OF) ? Periods.month(t, after + 1) : null;
    return month == null ? null : within(month, day.value());
  }

  static Parsed within(Parsed month, int day) {
    return new Parsed(
        month.end(),
        (now, tense) -> {
          Span span = month.reading().at(now, tense);
          return span == null
              ? null
              : Dates.day(Dates.date(span.date().getYear(), span.date().getMonthValue(), day));
        },
        month.floating(),
        Parsed.Shape.CALENDAR);
  }

  /** "the 5th", "the second", "on 15 at 8", "el 5". */
  private static @Nullable Parsed alone(Tokens t, int i) {
    int at = article(t, i);
    Num day = Numbers.dayOfMonth(t, at);
    if (day == null) {
      return null;
    }
    boolean digits = t.isNumber(at) && day.end() > at + 1;
    boolean led = at > i || t.is(i - 1, "on");
    boolean closed = t.isBreak(day.end()) || (digits && t.in(day.end(), FOLLOWERS));
    boolean timed = t.in(day.end(), Set.of("at", "from", "between", "to", "through", "until"));
    boolean sign = t.is(day.end(), ":")
        || t.is(day.end(), "%")
        || t.is(day.end(), "/")
        || t.is(day.end(), "-");
    boolean good = digits ? closed : led && (timed || (closed && !sign));
    return good ? Parsed.floating(day.end(), anyMonth(day.value())) : null;
  }

  /** "Thursday the 21st", "Mon 13th": the nearest such day that is that weekday. */
  private static @Nullable Parsed withWeekday(Tokens t, int i) {
    DayOfWeek weekday = Vocabulary.weekday(t, i);
    int at = t.skip(t.skip(i + 1, Set.of(",")), Set.of("the", "el"));
    Num day = weekday == null ? null : Numbers.dayOfMonth(t, at);
    boolean clock = day != null && day.end() == at + 1 && !t.isBreak(day.end());
    if (day == null || weekday == null || clock || t.is(day.end(), ":") || t.is(day.end(), "-")) {
      return null;
    }
    boolean article = at > i + 1;
    return Parsed.floating(day.end(), (now, tense) -> {
      LocalDate here = Dates.date(now.today().getYear(), now.today().getMonthValue(), day.value());
      if (article && here != null && here.getDayOfWeek() == weekday) {
        return Span.day(here); // "Wednesday the 31st" needs no tense when this month has one
      }
      LocalDate first = now.today().withDayOfMonth(1);
      int step = tense == Tense.PAST ? -1 : 1;
      for (int month = 0; month < MONTHS_OF_ALL_WEEKDAYS; month++) {
        LocalDate of = first.plusMonths((long) month * step);
        LocalDate date = Dates.date(of.getYear(), of.getMonthValue(), day.value());
        if (date != null
            && date.getDayOfWeek() == weekday
            && (step < 0 ? !date.isAfter(now.today()) : !date.isBefore(now.today()))) {
          return Span.day(date);
        }
      }
      return null;
    });
  }

  /** Within four years every day of a month falls on every weekday, but for rare ones in February. */
  private static final int MONTHS_OF_ALL_WEEKDAYS = 48;

  private static Reading anyMonth(int day) {
    return (now, tense) -> now.nearest(tense, 0, offset -> {
      LocalDate month = now.today().withDayOfMonth(1).plusMonths(offset);
      return Dates.day(Dates.date(month.getYear(), month.getMonthValue(), day));
    });
  }

  private static int article(Tokens t, int i) {
    int at = t.is(i, "the") || t.is(i, "el") ? i + 1 : i;
    return t.is(at, "dia") ? at + 1 : at;
  }
}
