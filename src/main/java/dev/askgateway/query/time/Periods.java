package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stretches of the calendar counted from the request: "last week", "this month", "the weekend", "el ano pasado". */
final class Periods {
  private static final Set<Grain> NAMED =
      Set.of(Grain.WEEK, Grain.FORTNIGHT, Grain.MONTH, Grain.QUARTER, Grain.YEAR, Grain.DECADE);
  private static final List<String> WEEKENDS = List.of("weekend", "fin de semana", "finde");
  private static final Set<String> WHOLE =
      Set.of("in", "during", "of", "for", "en", "durante", "del");

  private Periods() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return t.once("periods", i, Periods::read);
  }

  private static @Nullable Parsed read(Tokens t, int i) {
    return Rules.longest(unit(t, i), whole(t, i), afterNext(t, i), weekend(t, i), workweek(t, i));
  }

  static @Nullable Parsed week(Tokens t, int i) {
    return of(Grain.WEEK, t, i);
  }

  static @Nullable Parsed month(Tokens t, int i) {
    int bare = t.after(i, "the month");
    return bare > 0 ? relative(bare, Grain.MONTH, 0) : of(Grain.MONTH, t, i);
  }

  static @Nullable Parsed year(Tokens t, int i) {
    int bare = t.afterAny(i, List.of("the year", "year"));
    Parsed relative = of(Grain.YEAR, t, i);
    return relative == null && bare > 0 ? relative(bare, Grain.YEAR, 0) : relative;
  }

  private static @Nullable Parsed of(Grain grain, Tokens t, int i) {
    int at = t.is(i, "the") || t.is(i, "la") || t.is(i, "el") ? i + 1 : i;
    Parsed parsed = unit(t, at);
    int noun = parsed == null ? -1 : nounOf(t, at);
    return noun >= 0 && Vocabulary.unit(t, noun) == grain ? parsed : null;
  }

  private static int nounOf(Tokens t, int i) {
    return Vocabulary.shift(t, i) != null ? i + 1 : i;
  }

  /** "last week", "semana pasada". "Past week" is a stretch of seven days, of {@link Offsets}. */
  private static @Nullable Parsed unit(Tokens t, int i) {
    Integer before = Vocabulary.shift(t, i);
    Grain grain = Vocabulary.unit(t, before == null ? i : i + 1);
    if (grain == null || !NAMED.contains(grain)) {
      return null;
    }
    String noun = t.at(before == null ? i : i + 1);
    boolean one = !noun.endsWith("s") || noun.equals("mes");
    if (before != null) {
      boolean stretch = grain != Grain.QUARTER && (t.is(i, "past") || t.at(i).startsWith("ultim"));
      return stretch || !one ? null : relative(i + 2, grain, before);
    }
    Num after = Vocabulary.shiftAfter(t, i + 1);
    return after == null ? null : relative(after.end(), grain, after.value());
  }

  static Parsed relative(int end, Grain grain, int offset) {
    return Parsed.fixed(end, (now, tense) -> {
      if (grain == Grain.FORTNIGHT) { // it begins with this week
        LocalDate monday = Grain.WEEK.floor(now.today());
        return Span.days(monday.plusWeeks(2L * offset), monday.plusWeeks(2L * offset + 2), grain);
      }
      return grain.around(now.today(), offset);
    });
  }

  /** "in the week", "during the year", "for the day", "same month": this one. */
  private static @Nullable Parsed whole(Tokens t, int i) {
    Grain grain = Vocabulary.unit(t, i + 1);
    boolean led = t.is(i, "the") && (t.in(i - 1, WHOLE) || t.is(i - 1, "rest")) && t.isBreak(i + 2);
    boolean day = grain == Grain.DAY && (led || t.is(i, "this"));
    return grain != null && (day || (led && NAMED.contains(grain)))
        ? relative(i + 2, grain, 0)
        : null;
  }

  /** "the week after next", "the month before last". */
  private static @Nullable Parsed afterNext(Tokens t, int i) {
    Grain grain = Vocabulary.unit(t, i);
    if (grain == null || !NAMED.contains(grain)) {
      return null;
    }
    int next = t.after(i + 1, "after next");
    int last = t.after(i + 1, "before last");
    return next > 0 ? relative(next, grain, 2) : last > 0 ? relative(last, grain, -2) : null;
  }

  /** Saturday and Sunday; bare, the newest that has begun or the nearest to come. */
  private static @Nullable Parsed weekend(Tokens t, int i) {
    Integer before = Vocabulary.shift(t, i);
    int at = before == null ? i : t.is(i + 1, "past") || t.is(i + 1, "coming") ? i + 2 : i + 1;
    int end = t.afterAny(at, WEEKENDS);
    if (end < 0) {
      return null;
    }
    Num after = before == null ? Vocabulary.shiftAfter(t, end) : null;
    boolean gone = before != null && (before < 0 || t.is(i + 1, "past"));
    if (gone || (after != null && after.value() < 0)) { // the newest that is over or on its way
      return Parsed.fixed(
          after == null ? end : after.end(), (now, tense) -> weekend(now.today(), -1));
    }
    if (before != null || after != null) {
      int offset = after != null ? after.value() : before == null ? 0 : before;
      return Parsed.fixed(
          after == null ? end : after.end(), (now, tense) -> weekend(now.today(), offset));
    }
    return Parsed.floating(
        end, (now, tense) -> now.nearest(tense, 0, week -> weekend(now.today(), week)));
  }

  private static Span weekend(LocalDate today, long offset) {
    LocalDate monday = Grain.WEEK.floor(today).plusWeeks(offset);
    return Span.days(monday.plusDays(5), monday.plusDays(7), Grain.OTHER);
  }

  private static @Nullable Parsed workweek(Tokens t, int i) {
    Integer shift = Vocabulary.shift(t, i);
    boolean named = t.is(i + 1, "workweek") || t.after(i + 1, "work week") > 0;
    if (shift == null || !named) {
      return null;
    }
    return Parsed.fixed(t.is(i + 1, "workweek") ? i + 2 : i + 3, (now, tense) -> {
      LocalDate monday = Grain.WEEK.floor(now.today()).plusWeeks(shift);
      return Span.days(monday, monday.plusDays(5), Grain.OTHER);
    });
  }
}
