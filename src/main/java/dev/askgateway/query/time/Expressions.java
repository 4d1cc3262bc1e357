package dev.askgateway.query.time;

import org.jspecify.annotations.Nullable;

/** What may stand at a place: a day, any point or period, or a stretch between such. */
final class Expressions {
  private Expressions() {}

  /** A day, named or counted. */
  static @Nullable Parsed day(Tokens t, int i) {
    return t.once("day", i, Expressions::readDay);
  }

  private static @Nullable Parsed readDay(Tokens t, int i) {
    return Rules.longest(
        RelativeDays.at(t, i),
        Dates.at(t, i),
        Dates.shifted(t, i),
        MonthDays.at(t, i),
        Weekdays.at(t, i),
        Holidays.at(t, i));
  }

  /** A day, a time of one, or a period. */
  static @Nullable Parsed point(Tokens t, int i) {
    return t.once("point", i, Expressions::readPoint);
  }

  private static @Nullable Parsed readPoint(Tokens t, int i) {
    return Rules.longest(
        Weekdays.inWeekOf(t, Rules.longest(Offsets.at(t, i), Weeks.at(t, i))),
        Offsets.at(t, i),
        Moments.at(t, i),
        Weeks.at(t, i),
        Edges.at(t, i),
        Months.at(t, i),
        YearParts.at(t, i),
        Periods.at(t, i));
  }

  /** Anything: what is between two points or on one side of one, else the point. */
  static @Nullable Parsed any(Tokens t, int i) {
    return Rules.longest(point(t, i), Ranges.at(t, i), Bounds.at(t, i));
  }
}
