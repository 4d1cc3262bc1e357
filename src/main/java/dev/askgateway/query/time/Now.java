package dev.askgateway.query.time;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where relative times count from.
 *
 * @param local the wall clock at {@code at}, or another moment when one time counts from another
 * @param dayFirst whether 3/5 is the third of May
 */
record Now(Instant at, ZoneId zone, LocalDateTime local, boolean dayFirst) {
  /** Enough years for a February 29 over a century that has none. */
  private static final int CANDIDATES = 14;

  static Now of(Instant at, ZoneId zone, boolean dayFirst) {
    return new Now(at, zone, LocalDateTime.ofInstant(at, zone), dayFirst);
  }

  LocalDate today() {
    return local.toLocalDate();
  }

  Now movedTo(LocalDateTime moment) {
    return new Now(at, zone, moment, dayFirst);
  }

  /**
   * From the request on, or up to it when the sign is negative: real hours where the length is of
   * hours, days or weeks, day for day where it is of months or years.
   */
  @Nullable
  Span stretch(Lengths length, int sign) {
    Duration exact = length.exact();
    LocalDateTime moment = LocalDateTime.ofInstant(at, zone);
    Instant other = exact == null
        ? length.from(moment, sign).atZone(zone).toInstant()
        : at.plus(exact.multipliedBy(sign));
    Instant start = sign < 0 ? (other.isBefore(Instant.EPOCH) ? Instant.EPOCH : other) : at;
    Instant end = sign < 0 ? at : other;
    return start.isBefore(end)
        ? new Span(
            LocalDateTime.ofInstant(start, zone),
            LocalDateTime.ofInstant(end, zone),
            Grain.OTHER,
            new TimeRange(start, end, zone))
        : null;
  }

  /**
   * Of stretches that come again, the newest that has begun, or the first that has not ended.
   *
   * @param candidates by number, rising with time; null where there is none (February 29)
   * @param near the number of one near now
   */
  @Nullable
  Span nearest(Tense tense, long near, LongFunction<@Nullable Span> candidates) {
    int step = tense == Tense.PAST ? -1 : 1;
    long first = near - 2L * step; // two on the other side, so that the first that fits is nearest
    for (int i = 0; i < CANDIDATES; i++) {
      Span span = candidates.apply(first + (long) i * step);
      if (span != null && (step < 0 ? !span.start().isAfter(local) : span.end().isAfter(local))) {
        return span;
      }
    }
    return null;
  }
}
