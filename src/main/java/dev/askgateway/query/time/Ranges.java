package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From one point to another, the last one named counted in: "between March 5 and 7" ends with the 7th.
 * What a side leaves out (a month, a year) comes from the other; the second lies after the first.
 */
final class Ranges {
  private static final Set<String> LEADS = Set.of("from", "between", "entre", "de", "desde", "del");
  private static final List<String> JOINTS = Numbers.phrases(
      "to the, until the, through the, to, until, till, til, through, thru, and, -, –, ~, y el, y, al, a, hasta"
          + " el, hasta, . ., /");
  private static final List<String> NOWS =
      Numbers.phrases("now, date, today, the present, right now, ahora, hoy, la fecha");
  private static final Set<String> LOOSE = Set.of("and", "y", "a", "/", "al");

  private Ranges() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return Rules.longest(daysOfMonth(t, i), monthOfDays(t, i), weekdays(t, i), general(t, i));
  }

  private static int joint(Tokens t, int i, boolean led) {
    int end = t.afterAny(i, JOINTS);
    return end > 0 && (led || !t.in(i, LOOSE)) ? end : -1;
  }

  private static @Nullable Parsed general(Tokens t, int i) {
    boolean led = t.in(i, LEADS);
    int begin = led ? i + 1 : i;
    Parsed first = Rules.longest(
        Expressions.point(t, begin),
        Expressions.point(t, t.skip(begin, Set.of("the", "el", "this"))),
        nowAt(t, begin));
    if (first == null) {
      return null;
    }
    boolean iso =
        t.digits(begin) == 4; // existing habit: "2026-08-11/2026-08-13", "2026-08-11 and ..."
    int at = joint(t, first.end(), led || iso);
    if (at < 0) {
      return null;
    }
    Parsed second = Rules.longest(
        Expressions.point(t, at),
        Expressions.point(t, t.skip(at, Set.of("the", "el", "this"))),
        nowAt(t, at),
        dayAfter(t, at, first));
    return second == null || isSet(t, i)
        ? null
        : new Parsed(
            second.end(),
            (now, tense) -> between(now, tense, first, second),
            first.floating() && second.floating(),
            Parsed.Shape.CALENDAR);
  }

  private static boolean isSet(Tokens t, int i) {
    return t.is(i - 1, "every");
  }

  /** "April 9th through seventeenth": a second day of the first one's month. */
  private static @Nullable Parsed dayAfter(Tokens t, int i, Parsed first) {
    Num day = Numbers.dayOfMonth(t, i);
    boolean ends = day != null && (t.isBreak(day.end()) || t.in(day.end(), MonthDays.FOLLOWERS));
    return day == null || !ends
        ? null
        : Parsed.fixed(day.end(), (now, tense) -> {
          Span span = first.reading().at(now, tense);
          return span == null || span.grain() != Grain.DAY
              ? null
              : Dates.day(
                  Dates.date(span.date().getYear(), span.date().getMonthValue(), day.value()));
        });
  }

  private static @Nullable Parsed nowAt(Tokens t, int i) {
    int end = t.afterAny(i, NOWS);
    boolean day = t.is(i, "today") || t.is(i, "hoy");
    return end < 0 || day
        ? null
        : Parsed.fixed(end, (now, tense) -> Span.of(now.local(), now.local(), Grain.OTHER));
  }

  private static @Nullable Span between(Now now, Tense tense, Parsed first, Parsed second) {
    Span start = null;
    Span end;
    if (first.floating() && !second.floating()) {
      end = second.reading().at(now, tense);
      start = end == null ? null : first.reading().at(now.movedTo(end.start()), Tense.PAST);
    } else if (first.floating()) {
      start = first.reading().at(now, Tense.PAST);
      end = after(now, start, second);
      if (tense == Tense.FUTURE && end != null && !end.end().isAfter(now.local())) {
        start = first.reading().at(now, Tense.FUTURE);
        end = after(now, start, second);
      }
    } else {
      start = first.reading().at(now, tense);
      end = second.floating() ? after(now, start, second) : second.reading().at(now, tense);
    }
    if (start == null || end == null) {
      return null;
    }
    LocalDateTime from = begin(start);
    LocalDateTime to = finish(end);
    return from.isBefore(to)
        ? Span.of(from, to, Grain.OTHER)
        : Span.of(begin(end), finish(start), Grain.OTHER);
  }

  private static @Nullable Span after(Now now, @Nullable Span start, Parsed second) {
    return start == null ? null : second.reading().at(now.movedTo(start.start()), Tense.FUTURE);
  }

  /** A time of day stands in the middle of the half hours around it. */
  static LocalDateTime begin(Span span) {
    return isTime(span) ? span.start().plusMinutes(DayTime.HALF_HOUR) : span.start();
  }

  static LocalDateTime finish(Span span) {
    return isTime(span) ? span.start().plusMinutes(DayTime.HALF_HOUR) : span.end();
  }

  static boolean isTime(Span span) {
    return span.grain() == Grain.HOUR && span.start().plusHours(1).equals(span.end());
  }

  private record Days(int end, int first, int last) {}

  private static @Nullable Days days(Tokens t, int i) {
    boolean led = t.in(i, LEADS);
    int begin = t.skip(led ? i + 1 : i, Set.of("the", "el"));
    Num first = Numbers.dayOfMonth(t, begin);
    int at = first == null ? -1 : joint(t, first.end(), led);
    Num last = at < 0 ? null : Numbers.dayOfMonth(t, at);
    return first != null && last != null && first.value() <= last.value()
        ? new Days(last.end(), first.value(), last.value())
        : null;
  }

  /** "between 4 and 22 this month", "from 2 to 7 Feb 2018", "del 3 al 7 de marzo". */
  private static @Nullable Parsed daysOfMonth(Tokens t, int i) {
    Days days = days(t, i);
    if (days == null) {
      return null;
    }
    int at = t.skip(days.end(), Set.of("of", "in", "de", "del"));
    Parsed month = Rules.longest(monthAt(t, at), Periods.month(t, at));
    return month == null ? null : within(month, days, month.end());
  }

  /** A month in a date, with short names too, and its year. */
  private static @Nullable Parsed monthAt(Tokens t, int i) {
    int month = Vocabulary.monthInDate(t, i);
    if (month == 0) {
      return null;
    }
    Parsed dated = Months.at(t, i);
    return dated != null
        ? dated
        : Parsed.floating(
            i + 1,
            (now, tense) ->
                now.nearest(tense, now.today().getYear(), y -> Months.of((int) y, month)));
  }

  /** "November 19-20", "Feb between 2-7 2018". */
  private static @Nullable Parsed monthOfDays(Tokens t, int i) {
    int month = Vocabulary.monthInDate(t, i);
    Days days = month == 0 ? null : days(t, i + 1);
    if (days == null || t.is(days.end(), ":") || t.is(days.end(), "pm") || t.is(days.end(), "am")) {
      return null;
    }
    int at = t.skip(days.end(), Set.of(",", "of", "de"));
    Num year = Numbers.year(t, at);
    Parsed whole = year == null
        ? Parsed.floating(
            days.end(),
            (now, tense) ->
                now.nearest(tense, now.today().getYear(), y -> Months.of((int) y, month)))
        : Parsed.fixed(year.end(), (now, tense) -> Months.of(year.value(), month));
    return within(whole, days, whole.end());
  }

  private static Parsed within(Parsed month, Days days, int end) {
    Parsed first = MonthDays.within(month, days.first());
    Parsed last = MonthDays.within(month, days.last());
    return new Parsed(
        end,
        (now, tense) -> {
          Now seen = now;
          Span from = first.reading().at(now, tense);
          if (from != null
              && month.floating()
              && tense == Tense.PAST
              && from.start().isAfter(now.local())) {
            seen = now.movedTo(
                from.date().withDayOfMonth(1).atStartOfDay().minusDays(1)); // the year before
            from = first.reading().at(seen, tense);
          }
          Span to = last.reading().at(seen, tense);
          return from == null || to == null ? null : Span.of(from.start(), to.end(), Grain.OTHER);
        },
        month.floating(),
        Parsed.Shape.CALENDAR);
  }

  /** "this week from Tue to Thur". */
  private static @Nullable Parsed weekdays(Tokens t, int i) {
    Parsed week = Periods.week(t, i);
    int at = week == null ? -1 : t.skip(week.end(), LEADS);
    DayOfWeek first = at < 0 ? null : Vocabulary.weekday(t, at);
    int joint = first == null ? -1 : joint(t, at + 1, true);
    DayOfWeek last = joint < 0 ? null : Vocabulary.weekday(t, joint);
    return week == null || first == null || last == null || last.getValue() <= first.getValue()
        ? null
        : Parsed.fixed(joint + 1, (now, tense) -> {
          Span span = week.reading().at(now, tense);
          LocalDate from = span == null ? null : Weekdays.inWeek(span.date(), first);
          return span == null || from == null
              ? null
              : Span.days(from, Weekdays.inWeek(span.date(), last).plusDays(1), Grain.OTHER);
        });
  }
}
