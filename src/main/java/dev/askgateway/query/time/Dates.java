package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Days named by number: "2024-03-05", "3/5/24", "March 5", "5 de marzo de 2024", "the 5th of next month". */
final class Dates {
  private static final Set<String> SEPARATORS = Set.of("-", "/", ".");
  private static final Set<String> BETWEEN = Set.of("-", "/", ".", ",", "the");
  private static final Set<String> OF = Set.of("of", "de", "del", "-", "/", ".");
  private static final Set<String> BEFORE_YEAR =
      Set.of("of", "de", "del", ",", "-", "/", "in", ".");
  private static final int NO_YEAR = Integer.MIN_VALUE;

  private Dates() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return Rules.longest(
        iso(t, i),
        compact(t, i),
        numeric(t, i),
        monthDay(t, i),
        dayMonth(t, i),
        yearDayMonth(t, i));
  }

  /** "next 5/12", "last 6th of April": the first after today, the newest before it. */
  static @Nullable Parsed shifted(Tokens t, int i) {
    Integer shift = Vocabulary.shift(t, i);
    Parsed date = shift == null ? null : at(t, i + 1);
    if (shift == null || date == null || !date.floating()) {
      return date;
    }
    if (shift == 0) { // of this year, whichever way it lies
      return Parsed.fixed(date.end(), (now, tense) -> date.reading()
          .at(now.movedTo(now.today().withDayOfYear(1).atStartOfDay()), Tense.FUTURE));
    }
    int days = shift;
    return Parsed.fixed(date.end(), (now, tense) -> date.reading()
        .at(now.movedTo(now.local().plusDays(days)), days < 0 ? Tense.PAST : Tense.FUTURE));
  }

  static @Nullable LocalDate date(int year, int month, int day) {
    try {
      return LocalDate.of(year, month, day);
    } catch (DateTimeException noSuchDay) {
      return null;
    }
  }

  static @Nullable Span day(@Nullable LocalDate date) {
    return date == null ? null : Span.day(date);
  }

  /** A day of every year, or of one. */
  static Parsed of(int end, int year, int month, int day) {
    return year == NO_YEAR
        ? Parsed.floating(
            end,
            (now, tense) ->
                now.nearest(tense, now.today().getYear(), y -> day(date((int) y, month, day))))
        : Parsed.fixed(end, (now, tense) -> day(date(year, month, day)));
  }

  private static @Nullable Parsed iso(Tokens t, int i) {
    boolean year = t.digits(i) == 4;
    if (!year) {
      return null;
    }
    boolean spaced = !t.in(i + 1, SEPARATORS);
    int month = spaced ? i + 1 : i + 2;
    int separator = month + 1;
    int day = spaced ? month + 1 : month + 2;
    boolean joined = t.glued(i + 1) && t.glued(month) && t.glued(separator) && t.glued(day);
    if (!spaced && !(joined && t.at(separator).equals(t.at(i + 1)))) {
      return null;
    }
    int named = Vocabulary.monthInDate(t, month);
    boolean digits = t.digits(month) >= 1 && t.digits(month) <= 2;
    boolean days = t.digits(day) >= 1 && t.digits(day) <= 2;
    if (!days || (!digits && named == 0) || (spaced && named == 0 && t.digits(month) != 2)) {
      return null;
    }
    return of(day + 1, t.value(i), named > 0 ? named : t.value(month), t.value(day));
  }

  /** 20161016 and nothing else of eight digits. */
  private static @Nullable Parsed compact(Tokens t, int i) {
    if (t.digits(i) != 8) {
      return null;
    }
    int number = t.value(i);
    LocalDate date = date(number / 10_000, number / 100 % 100, number % 100);
    boolean plain = date != null && date.getYear() >= 1970 && date.getYear() < 2100;
    return plain ? Parsed.fixed(i + 1, (now, tense) -> day(date)) : null;
  }

  /** "3/5/2024", "3-5-24", "23.04.2022" and, with a stroke only, "3/5". */
  private static @Nullable Parsed numeric(Tokens t, int i) {
    boolean two = upTo2(t, i)
        && t.in(i + 1, SEPARATORS)
        && t.glued(i + 1)
        && t.glued(i + 2)
        && upTo2(t, i + 2)
        && !(t.at(i - 1).equals(t.at(i + 1)) && t.glued(i));
    if (!two) {
      return null;
    }
    int first = t.value(i);
    int second = t.value(i + 2);
    boolean same = t.at(i + 3).equals(t.at(i + 1)) || t.is(i + 3, ",");
    if (same && t.glued(i + 4) && (t.digits(i + 4) == 4 || t.digits(i + 4) == 2)) {
      int year = t.digits(i + 4) == 4 ? t.value(i + 4) : Numbers.ofTwoDigits(t.value(i + 4));
      return ordered(i + 5, year, first, second);
    }
    boolean stroke =
        t.is(i + 1, "/") && !(t.is(i + 3, "/") || (t.is(i + 3, ".") && t.glued(i + 4)));
    return stroke ? ordered(i + 3, NO_YEAR, first, second) : null;
  }

  /** Two numbers of which one is the month: as the account's language writes them, if both could be. */
  static Parsed ordered(int end, int year, int first, int second) {
    Parsed monthFirst = of(end, year, first, second);
    Parsed dayFirst = of(end, year, second, first);
    Reading reading = (now, tense) -> {
      boolean day = first > 12 || (now.dayFirst() && second <= 12);
      return (day ? dayFirst : monthFirst).reading().at(now, tense);
    };
    return new Parsed(end, reading, year == NO_YEAR, Parsed.Shape.CALENDAR);
  }

  /** "Friday 7.6": with a point a date only beside a weekday. */
  static @Nullable Parsed pointed(Tokens t, int i) {
    boolean date =
        upTo2(t, i) && t.is(i + 1, ".") && t.glued(i + 1) && t.glued(i + 2) && upTo2(t, i + 2);
    return date && !t.glued(i + 3) ? ordered(i + 3, NO_YEAR, t.value(i), t.value(i + 2)) : null;
  }

  private static boolean upTo2(Tokens t, int i) {
    return t.digits(i) == 1 || t.digits(i) == 2;
  }

  private static @Nullable Parsed monthDay(Tokens t, int i) {
    int month = Vocabulary.monthInDate(t, i);
    if (month == 0) {
      return null;
    }
    int at = t.skip(t.skip(i + 1, BETWEEN), BETWEEN);
    Num day = Numbers.dayOfMonth(t, at);
    return day == null || (isClock(t, day.end()) && !ordinalAt(t, at))
        ? null
        : withYear(t, day.end(), month, day.value());
  }

  private static boolean ordinalAt(Tokens t, int i) {
    return Numbers.ordinal(t, i) != null;
  }

  private static boolean isClock(Tokens t, int i) {
    return t.is(i, ":") && t.isNumber(i + 1);
  }

  private static @Nullable Parsed dayMonth(Tokens t, int i) {
    int at = t.is(i, "the") || t.is(i, "el") ? i + 1 : i;
    Num day = Numbers.dayOfMonth(t, t.is(at, "dia") ? at + 1 : at);
    if (day == null) {
      return null;
    }
    int month = t.skip(t.is(day.end(), "day") ? day.end() + 1 : day.end(), OF);
    int named = Vocabulary.monthInDate(t, month);
    boolean counts = month == day.end() && !t.isNumber(month - 1) && !ordinalAt(t, at);
    return named == 0 || (counts && t.is(month, "may"))
        ? null
        : withYear(t, month + 1, named, day.value());
  }

  /** "2020/23/sep", "september-2020-23": what forms and file names make of a date. */
  private static @Nullable Parsed yearDayMonth(Tokens t, int i) {
    boolean signs = t.in(i + 1, SEPARATORS) && t.at(i + 3).equals(t.at(i + 1));
    if (!signs) {
      return null;
    }
    int last = Vocabulary.monthInDate(t, i + 4);
    if (t.digits(i) == 4 && upTo2(t, i + 2) && last > 0) {
      return of(i + 5, t.value(i), last, t.value(i + 2));
    }
    int first = Vocabulary.monthInDate(t, i);
    boolean middle = first > 0 && t.digits(i + 2) == 4 && upTo2(t, i + 4);
    return middle ? of(i + 5, t.value(i + 2), first, t.value(i + 4)) : null;
  }

  private static Parsed withYear(Tokens t, int end, int month, int day) {
    int at = t.skip(t.skip(end, BEFORE_YEAR), BEFORE_YEAR);
    Num year = Numbers.year(t, at);
    if (year != null) {
      return of(year.end(), year.value(), month, day);
    }
    boolean shortYear = t.is(end, "'") && t.digits(end + 1) == 2;
    return shortYear
        ? of(end + 2, Numbers.ofTwoDigits(t.value(end + 1)), month, day)
        : of(end, NO_YEAR, month, day);
  }
}
