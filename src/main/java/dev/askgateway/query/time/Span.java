package dev.askgateway.query.time;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A half-open stretch of wall-clock time.
 *
 * @param grain what was named: the day of "the 5th", the month of "in March"
 * @param exact a stretch of real hours, which no change of the clocks may lengthen; else null
 */
record Span(
    LocalDateTime start,
    LocalDateTime end,
    Grain grain,
    @Nullable TimeRange exact) {

  /** Where "before X" begins: no message is older. */
  static final LocalDateTime BEGINNING = LocalDateTime.of(1970, 1, 1, 0, 0);
  /** Where "after X" ends when X is still to come. */
  static final LocalDateTime END = LocalDateTime.of(2200, 1, 1, 0, 0);

  static Span days(LocalDate start, LocalDate end, Grain grain) {
    return of(start.atStartOfDay(), end.atStartOfDay(), grain);
  }

  static Span day(LocalDate date) {
    return days(date, date.plusDays(1), Grain.DAY);
  }

  static Span of(LocalDateTime start, LocalDateTime end, Grain grain) {
    return new Span(start, end, grain, null);
  }

  LocalDate date() {
    return start.toLocalDate();
  }

  /** Null when no message and no plan can be in it: before 1970, after 2200, or empty. */
  @Nullable
  TimeRange in(ZoneId zone) {
    if (exact != null) {
      return exact;
    }
    LocalDateTime first = start.isBefore(BEGINNING) ? BEGINNING : start;
    LocalDateTime last = end.isAfter(END) ? END : end;
    if (!first.isBefore(last)) {
      return null;
    }
    // A zone west of Greenwich had not yet 1970 when time began.
    Instant begin = start.isAfter(BEGINNING) ? moment(first, zone) : Instant.EPOCH;
    Instant stop = moment(last, zone);
    if (!begin.isBefore(
        stop)) { // the zone skipped it: as long, from the first moment after the gap
      stop = begin.plus(Duration.between(first, last));
    }
    return new TimeRange(begin, stop, zone);
  }

  /** A day begins at its first valid moment; a skipped time of day is moved behind the gap. */
  private static Instant moment(LocalDateTime time, ZoneId zone) {
    return time.toLocalTime().equals(LocalTime.MIDNIGHT)
        ? time.toLocalDate().atStartOfDay(zone).toInstant()
        : time.atZone(zone).toInstant();
  }
}
