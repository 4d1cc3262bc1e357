package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Months and years: "in March", "last June", "March 2024", "3/2024", "2015-3", "in 2016". */
final class Months {
  private static final Set<String> BEFORE_YEAR =
      Set.of("of", "de", "del", ",", "-", "/", "in", ".");
  private static final Set<String> YEAR_LEADERS = Set.of(
      "in", "since", "of", "year", "during", "before", "after", "until", "till", "from", "to",
      "between", "through", "and", "than", "or", "en", "desde", "de", "del", "entre", "hasta",
      "durante", "ano", "-", "=", "~", "y", "a", "al", "on", "cy", "that", "by");

  private Months() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return t.once("months", i, Months::read);
  }

  private static @Nullable Parsed read(Tokens t, int i) {
    return Rules.longest(month(t, i), yearMonth(t, i), numeric(t, i), year(t, i));
  }

  static Span of(int year, int month) {
    LocalDate first = LocalDate.of(year, month, 1);
    return Span.days(first, first.plusMonths(1), Grain.MONTH);
  }

  /** A month, of a year if one is named before or after it. */
  private static @Nullable Parsed month(Tokens t, int i) {
    int at = t.after(i, "month of") > 0 ? i + 2 : t.after(i, "mes de") > 0 ? i + 2 : i;
    Integer shift = Vocabulary.shift(t, at);
    int name = shift == null ? at : at + 1;
    int sure = Vocabulary.monthInDate(t, name);
    if (sure == 0) {
      return null;
    }
    Parsed dated = shift == null ? withYear(t, name + 1, sure) : null;
    if (dated != null) {
      return dated;
    }
    int month = Vocabulary.month(t, name);
    if (month == 0) {
      return null;
    }
    Num after = shift == null ? Vocabulary.shiftAfter(t, name + 1) : null;
    int end = after == null ? name + 1 : after.end();
    Integer offset = after == null ? shift : Integer.valueOf(after.value());
    if (offset != null) {
      int by = offset;
      return Parsed.fixed(end, (now, tense) -> shifted(now, month, by));
    }
    return Parsed.floating(
        t.is(end, ".") && t.glued(end) && t.isNumber(end + 1) ? end + 1 : end,
        (now, tense) -> now.nearest(tense, now.today().getYear(), y -> of((int) y, month)));
  }

  /** "This" is of this year; "last" the newest before this month, "next" the first after it. */
  private static Span shifted(Now now, int month, int shift) {
    LocalDate today = now.today();
    int year = today.getYear();
    if (shift < 0 && month >= today.getMonthValue()) {
      year--;
    } else if (shift > 0 && month <= today.getMonthValue()) {
      year++;
    }
    return of(year, month);
  }

  private static @Nullable Parsed withYear(Tokens t, int end, int month) {
    int at = t.skip(t.skip(end, BEFORE_YEAR), BEFORE_YEAR);
    Num year = Numbers.year(t, at);
    if (year != null) {
      return Parsed.fixed(year.end(), (now, tense) -> of(year.value(), month));
    }
    Parsed relative = Periods.year(t, t.skip(end, BEFORE_YEAR));
    return relative == null
        ? null
        : Parsed.fixed(relative.end(), (now, tense) -> {
          Span span = relative.reading().at(now, tense);
          return span == null ? null : of(span.date().getYear(), month);
        });
  }

  /** "2016, nov", "2017 april". */
  private static @Nullable Parsed yearMonth(Tokens t, int i) {
    if (t.digits(i) != 4 || Numbers.year(t, i) == null) {
      return null;
    }
    int at = t.skip(i + 1, BEFORE_YEAR);
    int month = Vocabulary.monthInDate(t, at);
    int year = t.value(i);
    return month == 0 ? null : Parsed.fixed(at + 1, (now, tense) -> of(year, month));
  }

  /** "2015-3", "2016/11", "11 / 2016". */
  private static @Nullable Parsed numeric(Tokens t, int i) {
    boolean joined = (t.is(i + 1, "-") || t.is(i + 1, "/"))
        && !(t.glued(i) && (t.is(i - 1, "-") || t.is(i - 1, "/") || t.is(i - 1, ".")))
        && !(t.glued(i + 3) && (t.is(i + 3, "-") || t.is(i + 3, "/")));
    if (!joined) {
      return null;
    }
    boolean yearFirst = t.digits(i) == 4;
    int year = yearFirst ? t.value(i) : t.value(i + 2);
    int month = yearFirst ? t.value(i + 2) : t.value(i);
    boolean digits = t.digits(yearFirst ? i + 2 : i) <= 2 && t.digits(yearFirst ? i : i + 2) == 4;
    boolean real = digits && month >= 1 && month <= 12 && year >= 1970 && year < 2200;
    return real ? Parsed.fixed(i + 3, (now, tense) -> of(year, month)) : null;
  }

  /** A year, where one is expected: 2000 may count anything. */
  private static @Nullable Parsed year(Tokens t, int i) {
    boolean named = t.is(i, "year") || t.is(i, "ano") || t.is(i, "cy");
    Num year = Numbers.year(t, named ? i + 1 : i);
    if (year == null || t.is(year.end(), "%")) {
      return null;
    }
    boolean led = named || t.in(i - 1, YEAR_LEADERS);
    boolean joined = t.isNumber(i) && (t.in(year.end(), RANGE_SIGNS) || orMore(t, year.end()));
    if (!led && !joined) {
      return null;
    }
    return Parsed.fixed(year.end(), (now, tense) -> ofYear(year.value()));
  }

  private static final Set<String> RANGE_SIGNS = Set.of("-", "~", "–");

  private static boolean orMore(Tokens t, int i) {
    return t.is(i, "or") && (t.is(i + 1, "later") || t.is(i + 1, "earlier"));
  }

  static Span ofYear(int year) {
    LocalDate first = YearMonth.of(year, 1).atDay(1);
    return Span.days(first, first.plusYears(1), Grain.YEAR);
  }
}
