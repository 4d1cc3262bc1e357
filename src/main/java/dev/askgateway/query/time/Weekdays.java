package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Weekdays, by one rule for all seven. Bare: the newest or the nearest to come, by tense, today
 * included. "Last": the newest before today. "Next": the one of next week. "This": of this week if the
 * question looks back and it has been, else the nearest to come.
 */
final class Weekdays {
  private static final Set<String> JOINTS =
      Set.of("on", "-", ",", "of", "in", "the", "de", "la", "el");
  private static final Set<String> SOON = Set.of("coming", "upcoming");
  private static final Set<String> GONE = Set.of("last", "past", "previous");

  private Weekdays() {}

  static @Nullable Parsed at(Tokens t, int i) {
    int start = t.is(i, "el") ? i + 1 : i;
    return Rules.longest(modified(t, start), weekFirst(t, i), named(t, start), counted(t, i));
  }

  /** "last Monday", "this coming Friday", "el proximo lunes". */
  private static @Nullable Parsed modified(Tokens t, int i) {
    Integer shift = Vocabulary.shift(t, i);
    if (shift == null) {
      return null;
    }
    boolean qualified = shift == 0 && (t.in(i + 1, SOON) || t.in(i + 1, GONE));
    int at = qualified ? i + 2 : i + 1;
    DayOfWeek day = Vocabulary.weekday(t, at);
    if (day == null) {
      return null;
    }
    boolean soon = t.in(qualified ? i + 1 : i, SOON);
    if (soon) {
      return Parsed.fixed(
          at + 1, (now, tense) -> Span.day(now.today().with(TemporalAdjusters.next(day))));
    }
    return shifted(at + 1, day, qualified ? -1 : shift);
  }

  private static Parsed shifted(int end, DayOfWeek day, int shift) {
    Reading reading = (now, tense) -> Span.day(shifted(now.today(), day, shift, tense));
    if (shift == 0) {
      return Parsed.fixed(end, reading);
    }
    // "Last" also is of last week, "next" also the first to come.
    return Parsed.disputed(
        end,
        reading,
        (now, tense) -> Span.day(
            shift < 0
                ? inWeek(now.today(), day).minusWeeks(1)
                : now.today().with(TemporalAdjusters.next(day))));
  }

  static LocalDate shifted(LocalDate today, DayOfWeek day, int shift, Tense tense) {
    if (shift < 0) {
      return today.with(TemporalAdjusters.previous(day));
    }
    LocalDate ofThisWeek = inWeek(today, day);
    if (shift > 0) {
      return ofThisWeek.plusWeeks(1);
    }
    return tense == Tense.PAST && !ofThisWeek.isAfter(today)
        ? ofThisWeek
        : today.with(TemporalAdjusters.nextOrSame(day));
  }

  static LocalDate inWeek(LocalDate date, DayOfWeek day) {
    return Grain.WEEK.floor(date).plusDays(day.getValue() - 1L);
  }

  /** "next week on Tuesday", "this week Monday", "previous week - Monday". */
  private static @Nullable Parsed weekFirst(Tokens t, int i) {
    Parsed week = Periods.week(t, i);
    if (week == null) {
      return null;
    }
    int at = week.end();
    int suggested = t.after(at, ", how about");
    at = suggested < 0 ? at : suggested;
    at = t.skip(at, JOINTS);
    DayOfWeek day = Vocabulary.weekday(t, at);
    return day == null ? null : ofWeek(at + 1, day, week);
  }

  /** "the first week of October on Friday", "in 3 days on Friday": that day of the week it is in. */
  static @Nullable Parsed inWeekOf(Tokens t, @Nullable Parsed point) {
    int at = point == null ? -1 : t.skip(point.end(), Set.of(".", ","));
    DayOfWeek day = t.is(at, "on") ? Vocabulary.weekday(t, at + 1) : null;
    return point == null || day == null ? null : ofWeek(at + 2, day, point);
  }

  /** A weekday with what may follow it, or by itself. */
  private static @Nullable Parsed named(Tokens t, int i) {
    DayOfWeek day = Vocabulary.weekday(t, i);
    if (day == null) {
      return null;
    }
    Num shift = Vocabulary.shiftAfter(t, i + 1);
    if (shift != null) {
      return shifted(shift.end(), day, shift.value());
    }
    Parsed week = Periods.week(t, t.skip(t.skip(t.skip(i + 1, JOINTS), JOINTS), JOINTS));
    return week != null ? ofWeek(week.end(), day, week) : Parsed.floating(i + 1, bare(day));
  }

  private static Parsed ofWeek(int end, DayOfWeek day, Parsed week) {
    return Parsed.fixed(end, (now, tense) -> {
      Span span = week.reading().at(now, tense);
      return span == null ? null : Span.day(inWeek(span.date(), day));
    });
  }

  static Reading bare(DayOfWeek day) {
    return (now, tense) ->
        now.nearest(tense, 0, week -> Span.day(inWeek(now.today(), day).plusWeeks(week)));
  }

  /** "two Sundays from now", "two Sundays ago". */
  private static @Nullable Parsed counted(Tokens t, int i) {
    Num count = Numbers.cardinal(t, i);
    if (count == null || count.value() < 1 || !t.at(count.end()).endsWith("s")) {
      return null;
    }
    String name = t.at(count.end());
    DayOfWeek day = Vocabulary.weekday(new Tokens(name.substring(0, name.length() - 1)), 0);
    if (day == null) {
      return null;
    }
    int end = count.end() + 1;
    long weeks = count.value() - 1L;
    if (t.is(end, "ago")) {
      return Parsed.fixed(
          end + 1,
          (now, tense) ->
              Span.day(now.today().with(TemporalAdjusters.previous(day)).minusWeeks(weeks)));
    }
    boolean hence = t.is(end, "from") && (t.is(end + 1, "now") || t.is(end + 1, "today"));
    return hence
        ? Parsed.fixed(
            end + 2,
            (now, tense) ->
                Span.day(now.today().with(TemporalAdjusters.next(day)).plusWeeks(weeks)))
        : null;
  }
}
