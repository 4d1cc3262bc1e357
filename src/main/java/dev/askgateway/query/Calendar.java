package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;

/**
 * Half-open ranges in one account's zone, seen from the moment of the request. A day starts at its
 * first valid moment, so days of 23 and 25 hours, and days that begin at one o'clock, are right.
 */
record Calendar(Instant at, ZoneId zone) {

  LocalDate today() {
    return at.atZone(zone).toLocalDate();
  }

  TimeRange day(LocalDate date) {
    return days(date, date.plusDays(1));
  }

  /** From the start of {@code first} to the start of {@code end}. */
  TimeRange days(LocalDate first, LocalDate end) {
    Instant start = first.atStartOfDay(zone).toInstant();
    LocalDate last = end;
    Instant stop = last.atStartOfDay(zone).toInstant();
    while (!start.isBefore(stop)) { // a day the zone skipped has no moment: take the one after it
      last = last.plusDays(1);
      stop = last.atStartOfDay(zone).toInstant();
    }
    return new TimeRange(start, stop, zone);
  }

  /** The stretch that ends at the request: exact hours, not calendar days. */
  TimeRange upToNow(Duration length) {
    return new TimeRange(at.minus(length), at, zone);
  }

  /** The whole months before the request, day for day. */
  TimeRange monthsUpToNow(int months) {
    return new TimeRange(at.atZone(zone).minusMonths(months).toInstant(), at, zone);
  }

  /** The Monday-to-Sunday week so many weeks from this one. */
  TimeRange week(int offset) {
    LocalDate monday = monday().plusWeeks(offset);
    return days(monday, monday.plusWeeks(1));
  }

  /** Saturday and Sunday of the week so many weeks from this one. */
  TimeRange weekend(int offset) {
    LocalDate monday = monday().plusWeeks(offset);
    return days(monday.plusDays(5), monday.plusDays(7));
  }

  TimeRange month(int offset) {
    LocalDate first = today().withDayOfMonth(1).plusMonths(offset);
    return days(first, first.plusMonths(1));
  }

  boolean isWeekend() {
    return today().getDayOfWeek().getValue() >= DayOfWeek.SATURDAY.getValue();
  }

  /** The newest such day, today included. */
  TimeRange latest(DayOfWeek day) {
    return day(today().with(TemporalAdjusters.previousOrSame(day)));
  }

  /** The newest such day before today. */
  TimeRange before(DayOfWeek day) {
    return day(today().with(TemporalAdjusters.previous(day)));
  }

  /** The nearest such day to come, today included. */
  TimeRange upcoming(DayOfWeek day) {
    return day(today().with(TemporalAdjusters.nextOrSame(day)));
  }

  /** The nearest such day after today. */
  TimeRange after(DayOfWeek day) {
    return day(today().with(TemporalAdjusters.next(day)));
  }

  private LocalDate monday() {
    return today().with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
  }
}
