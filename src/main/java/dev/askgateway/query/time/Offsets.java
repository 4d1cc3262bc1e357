package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Times counted from the request: "the past two days", "3 hours ago", "in two weeks", "within 10 months",
 * "4 months from tomorrow". Stretches are of real hours; months and years go by the calendar. What is
 * told in weeks, months or years and lies behind is meant about so: that whole week, month or year.
 */
final class Offsets {
  private static final Set<String> BACK = Set.of(
      "past", "last", "previous", "ultimo", "ultima", "ultimos", "ultimas", "pasados", "pasadas");
  private static final Set<String> ONE_BACK = Set.of("past", "ultimo", "ultima");
  private static final Set<String> ON =
      Set.of("next", "following", "coming", "upcoming", "proximos", "proximas", "siguientes");
  private static final List<String> FROM_NOW = Numbers.phrases(
      "from now, from today, in the future, after today, after now, later, hence, a partir de hoy, mas tarde,"
          + " despues");
  private static final List<String> WITHIN = Numbers.phrases(
      "within the next, within next, within the, within, en los proximos, en las proximas, dentro de los proximos");

  private Offsets() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return t.once("offsets", i, Offsets::read);
  }

  private static @Nullable Parsed read(Tokens t, int i) {
    return Rules.longest(
        back(t, i),
        oneBack(t, i),
        ago(t, i),
        hace(t, i),
        on(t, i),
        within(t, i),
        hence(t, i),
        weekdayHence(t, i));
  }

  /** "last 3 days", "past couple of days", "5 past years". */
  private static @Nullable Parsed back(Tokens t, int i) {
    Lengths length =
        t.in(i, BACK) ? Lengths.at(t, t.skip(i + 1, Set.of("a"))) : swapped(t, i, BACK);
    return length == null || length.isNothing() ? null : stretch(length, -1);
  }

  /** "5 past years", "the 2 upcoming months": the word between count and unit. */
  private static @Nullable Lengths swapped(Tokens t, int i, Set<String> words) {
    Num count = Numbers.cardinal(t, i);
    Grain unit =
        count == null || !t.in(count.end(), words) ? null : Vocabulary.unit(t, count.end() + 1);
    return count == null || unit == null
        ? null
        : new Lengths(count.end() + 2, List.of(new Lengths.Part(count.value(), unit)));
  }

  /** "the past week": seven days, not last week. "Last hour" has no other meaning. */
  private static @Nullable Parsed oneBack(Tokens t, int i) {
    Grain unit = Vocabulary.unit(t, i + 1);
    boolean clock = unit != null && unit.isOfClock() && t.is(i, "last");
    return unit != null && unit != Grain.QUARTER && (t.in(i, ONE_BACK) || clock)
        ? stretch(new Lengths(i + 2, List.of(new Lengths.Part(1, unit))), -1)
        : null;
  }

  private static @Nullable Parsed on(Tokens t, int i) {
    Num count = t.in(i, ON) ? Numbers.cardinal(t, i + 1) : null;
    if (count != null
        && t.is(count.end(), "business")
        && Vocabulary.unit(t, count.end() + 1) == Grain.DAY) {
      return Parsed.stretch(count.end() + 2, (now, tense) -> workdays(now.today(), count.value()));
    }
    Lengths length = t.in(i, ON) ? Lengths.at(t, i + 1) : swapped(t, i, ON);
    return length == null || length.isNothing() ? null : stretch(length, 1);
  }

  private static @Nullable Parsed within(Tokens t, int i) {
    int at = t.afterAny(i, WITHIN);
    Grain bare = at < 0 ? null : Vocabulary.unit(t, at);
    Lengths length = at < 0 ? null : bare != null ? one(t, at, bare) : Lengths.at(t, at);
    if (length == null || length.isNothing()) {
      return null;
    }
    int end = t.afterAny(length.end(), FROM_NOW);
    return stretch(new Lengths(Math.max(end, length.end()), length.parts()), 1);
  }

  /** "within the next day and 5 hours": a day without a number before it. */
  private static Lengths one(Tokens t, int i, Grain unit) {
    Lengths more = t.is(i + 1, "and") ? Lengths.at(t, i + 2) : null;
    List<Lengths.Part> first = List.of(new Lengths.Part(1, unit));
    return more == null
        ? new Lengths(i + 1, first)
        : new Lengths(
            more.end(),
            java.util.stream.Stream.concat(first.stream(), more.parts().stream())
                .toList());
  }

  private static @Nullable Span workdays(LocalDate today, int count) {
    if (count < 1) {
      return null;
    }
    LocalDate first = null;
    LocalDate day = today;
    for (int found = 0; found < count; ) {
      day = day.plusDays(1);
      if (day.getDayOfWeek().getValue() < DayOfWeek.SATURDAY.getValue()) {
        first = first == null ? day : first;
        found++;
      }
    }
    return first == null ? null : Span.days(first, day.plusDays(1), Grain.OTHER);
  }

  private static Parsed stretch(Lengths length, int sign) {
    if (length.coarsest() == Grain.QUARTER || length.coarsest() == Grain.DECADE) {
      return Parsed.fixed(length.end(), (now, tense) -> whole(now.today(), length, sign));
    }
    return Parsed.stretch(length.end(), (now, tense) -> now.stretch(length, sign));
  }

  /** Whole quarters and decades, without the one that runs. */
  private static Span whole(LocalDate today, Lengths length, int sign) {
    Grain grain = length.coarsest();
    LocalDate running = grain.floor(today);
    LocalDate start = grain.plus(running, sign < 0 ? -length.parts().get(0).count() : 1);
    return Span.days(start, grain.plus(start, length.parts().get(0).count()), Grain.OTHER);
  }

  private static @Nullable Parsed ago(Tokens t, int i) {
    Lengths length = Lengths.at(t, i);
    boolean ago = length != null && (t.is(length.end(), "ago") || t.is(length.end(), "back"));
    return length == null || !ago ? null : away(length.end() + 1, length, -1, null);
  }

  private static @Nullable Parsed hace(Tokens t, int i) {
    Lengths length = t.is(i, "hace") ? Lengths.at(t, i + 1) : null;
    return length == null ? null : away(length.end(), length, -1, null);
  }

  /** "in two weeks", "two weeks from now", "2 days after today", "2 weeks before Christmas". */
  private static @Nullable Parsed hence(Tokens t, int i) {
    boolean in = t.is(i, "in") || t.after(i, "dentro de") > 0 || t.is(i, "en");
    int at = t.after(i, "dentro de") > 0 ? i + 2 : in ? i + 1 : i;
    Lengths length = Lengths.at(t, at);
    if (length == null) {
      return null;
    }
    int now = t.afterAny(length.end(), FROM_NOW);
    if (now > 0 || in) {
      return away(Math.max(now, length.end()), length, 1, null);
    }
    boolean before = t.is(length.end(), "before") || t.after(length.end(), "antes de") > 0;
    boolean after = t.is(length.end(), "after") || t.is(length.end(), "from");
    Parsed day = before || after
        ? Expressions.day(t, t.is(length.end(), "antes") ? length.end() + 2 : length.end() + 1)
        : null;
    return day == null ? null : away(day.end(), length, before ? -1 : 1, day);
  }

  /** "Monday two weeks from now": that day of the week it falls in. */
  private static @Nullable Parsed weekdayHence(Tokens t, int i) {
    DayOfWeek weekday = Vocabulary.weekday(t, i);
    Parsed away = weekday == null ? null : hence(t, t.skip(i + 1, Set.of(",")));
    return weekday == null || away == null
        ? null
        : Parsed.fixed(away.end(), (now, tense) -> {
          Span span = away.reading().at(now, tense);
          return span == null ? null : Span.day(Weekdays.inWeek(span.date(), weekday));
        });
  }

  private static Parsed away(int end, Lengths length, int sign, @Nullable Parsed from) {
    Reading exact = (now, tense) -> {
      Span anchor = from == null ? null : from.reading().at(now, tense);
      if (from != null && anchor == null) {
        return null;
      }
      LocalDateTime moment = length.from(anchor == null ? now.local() : anchor.start(), sign);
      if (!length.ofClock()) {
        return Span.day(moment.toLocalDate());
      }
      LocalDateTime start = moment.minusMinutes(DayTime.HALF_HOUR);
      return Span.of(start, start.plusHours(1), Grain.HOUR);
    };
    Grain grain = length.coarsest() == Grain.FORTNIGHT ? Grain.WEEK : length.coarsest();
    boolean about = sign < 0 && from == null && grain.compareTo(Grain.DAY) > 0;
    Reading whole = (now, tense) -> grain.around(length.from(now.local(), sign).toLocalDate(), 0);
    return about
        ? new Parsed(end, whole, false, Parsed.Shape.ABOUT, exact)
        : Parsed.fixed(end, exact);
  }
}
