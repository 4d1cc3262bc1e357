package dev.askgateway.query.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;

/** Stretches of the calendar that people name; weeks begin on Monday. */
enum Grain {
  MINUTE,
  HOUR,
  DAY,
  WEEK,
  FORTNIGHT,
  MONTH,
  QUARTER,
  HALF,
  YEAR,
  DECADE,
  /** Any other stretch, which has no length of its own. */
  OTHER;

  boolean isOfClock() {
    return this == MINUTE || this == HOUR;
  }

  /** The beginning of the stretch that holds a date. */
  LocalDate floor(LocalDate date) {
    return switch (this) {
      case WEEK, FORTNIGHT -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> date.withDayOfMonth(1);
      case QUARTER -> date.with(IsoFields.DAY_OF_QUARTER, 1L);
      case HALF -> LocalDate.of(date.getYear(), date.getMonthValue() <= 6 ? 1 : 7, 1);
      case YEAR -> date.withDayOfYear(1);
      case DECADE -> LocalDate.of(Math.floorDiv(date.getYear(), 10) * 10, 1, 1);
      default -> date;
    };
  }

  /** So many of them on; days for what is shorter than a day. */
  LocalDate plus(LocalDate date, long count) {
    return switch (this) {
      case WEEK -> date.plusWeeks(count);
      case FORTNIGHT -> date.plusWeeks(2 * count);
      case MONTH -> date.plusMonths(count);
      case QUARTER -> date.plusMonths(3 * count);
      case HALF -> date.plusMonths(6 * count);
      case YEAR -> date.plusYears(count);
      case DECADE -> date.plusYears(10 * count);
      default -> date.plusDays(count);
    };
  }

  /** The stretch so many away from the one that holds a date. */
  Span around(LocalDate date, long offset) {
    LocalDate start = plus(floor(date), offset);
    return Span.days(start, plus(start, 1), this);
  }
}
