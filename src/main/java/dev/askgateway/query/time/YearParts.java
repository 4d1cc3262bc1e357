package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Quarters, halves and seasons of a year, and decades. Seasons are of whole months and of the northern
 * half of the world; a winter belongs to the year it begins in.
 */
final class YearParts {
  private static final Set<String> JOINTS = Set.of("of", "de", "del", "-", "/", ",", "in");
  private static final List<String> QUARTER_WORDS = List.of("quarter", "trimestre");
  private static final Map<String, Integer> SEASONS = Map.ofEntries(
      Map.entry("spring", 3),
      Map.entry("primavera", 3),
      Map.entry("summer", 6),
      Map.entry("verano", 6),
      Map.entry("autumn", 9),
      Map.entry("fall", 9),
      Map.entry("otono", 9),
      Map.entry("winter", 12),
      Map.entry("invierno", 12));
  private static final Set<String> SEASON_LEADERS = Set.of(
      "in", "the", "during", "since", "this", "last", "next", "early", "late", "en", "el", "la",
      "past", "este", "esta", "desde", "del", "before", "after", "until", "over");
  private static final Map<String, Integer> DECADES = new HashMap<>();

  static {
    List<String> names = List.of(
        "twenties",
        "thirties",
        "forties",
        "fifties",
        "sixties",
        "seventies",
        "eighties",
        "nineties");
    for (int i = 0; i < names.size(); i++) {
      DECADES.put(names.get(i), 20 + 10 * i);
    }
    DECADES.put("tens", 10);
  }

  private YearParts() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return t.once("yearparts", i, YearParts::read);
  }

  private static @Nullable Parsed read(Tokens t, int i) {
    return Rules.longest(part(t, i), yearPart(t, i), season(t, i), decade(t, i));
  }

  private record Part(int end, int firstMonth, int months) {}

  private static @Nullable Part named(Tokens t, int i) {
    boolean quarter = t.is(i, "q");
    boolean half = t.is(i, "h");
    if ((quarter || half) && t.glued(i + 1) && t.digits(i + 1) == 1) {
      int number = t.value(i + 1);
      int months = quarter ? 3 : 6;
      return number >= 1 && number <= 12 / months
          ? new Part(i + 2, (number - 1) * months + 1, months)
          : null;
    }
    Num ordinal = Numbers.ordinal(t, i);
    if (ordinal == null || ordinal.value() > 4) {
      return null;
    }
    boolean first = ordinal.value() <= 2 && t.is(ordinal.end(), "half");
    int months = first ? 6 : 3;
    return first || t.afterAny(ordinal.end(), QUARTER_WORDS) > 0
        ? new Part(ordinal.end() + 1, (ordinal.value() - 1) * months + 1, months)
        : null;
  }

  /** "Q3", "Q1 2016", "the third quarter of 2016"; halves only with their year. */
  private static @Nullable Parsed part(Tokens t, int i) {
    Part part = named(t, i);
    if (part == null) {
      return null;
    }
    int at = t.skip(part.end(), JOINTS);
    Num year = Numbers.year(t, at);
    if (year != null) {
      return Parsed.fixed(year.end(), (now, tense) -> of(year.value(), part));
    }
    Parsed relative = Periods.year(t, at);
    if (relative != null) {
      return Parsed.fixed(relative.end(), (now, tense) -> {
        Span span = relative.reading().at(now, tense);
        return span == null ? null : of(span.date().getYear(), part);
      });
    }
    return part.months() == 6
        ? null
        : Parsed.floating(
            part.end(),
            (now, tense) -> now.nearest(tense, now.today().getYear(), y -> of((int) y, part)));
  }

  /** "2016 H2", "2019-Q1". */
  private static @Nullable Parsed yearPart(Tokens t, int i) {
    Num year = t.digits(i) == 4 ? Numbers.year(t, i) : null;
    Part part = year == null ? null : named(t, t.skip(year.end(), JOINTS));
    return year == null || part == null || !(t.is(part.end() - 2, "q") || t.is(part.end() - 2, "h"))
        ? null
        : Parsed.fixed(part.end(), (now, tense) -> of(year.value(), part));
  }

  private static Span of(int year, Part part) {
    LocalDate first = LocalDate.of(year, part.firstMonth(), 1);
    return Span.days(
        first, first.plusMonths(part.months()), part.months() == 3 ? Grain.QUARTER : Grain.HALF);
  }

  private static @Nullable Parsed season(Tokens t, int i) {
    Integer shift = Vocabulary.shift(t, i);
    int name = shift == null ? i : i + 1;
    Integer first = SEASONS.get(t.at(name));
    if (first == null) {
      return null;
    }
    Num year = Numbers.year(t, t.skip(name + 1, JOINTS));
    if (year != null) {
      return Parsed.fixed(year.end(), (now, tense) -> season(year.value(), first));
    }
    Num after = Vocabulary.shiftAfter(t, name + 1);
    if (shift == null && after == null) {
      return t.in(i - 1, SEASON_LEADERS)
          ? Parsed.floating(
              name + 1,
              (now, tense) ->
                  now.nearest(tense, now.today().getYear(), y -> season((int) y, first)))
          : null;
    }
    int by = after != null ? after.value() : shift == null ? 0 : shift;
    return Parsed.fixed(
        after == null ? name + 1 : after.end(), (now, tense) -> shifted(now, first, by));
  }

  private static @Nullable Span shifted(Now now, int first, int shift) {
    int year = now.today().getYear();
    Span running = now.nearest(Tense.PAST, year, y -> season((int) y, first));
    boolean within = running != null && running.end().isAfter(now.local());
    if (shift == 0) { // "this summer" is of this year, also before and after it
      return within ? running : season(year, first);
    }
    return shift < 0
        ? within && running != null ? season(running.date().getYear() - 1, first) : running
        : now.nearest(Tense.FUTURE, year, y -> {
          Span span = season((int) y, first);
          return span.start().isAfter(now.local()) ? span : null;
        });
  }

  private static Span season(int year, int firstMonth) {
    LocalDate first = LocalDate.of(year, firstMonth, 1);
    return Span.days(first, first.plusMonths(3), Grain.OTHER);
  }

  /** "the 1990s", "the 70's", "the nineties": a century that is not said is the newest that has begun it. */
  private static @Nullable Parsed decade(Tokens t, int i) {
    boolean digits = t.isNumber(i) && t.value(i) >= 0 && t.value(i) % 10 == 0;
    int quote = t.is(i + 1, "'") ? i + 2 : i + 1;
    if (digits && t.glued(quote) && t.is(quote, "s")) {
      boolean led = t.is(i - 1, "the") || t.is(i - 1, "in") || t.is(i - 1, "los");
      return t.digits(i) == 4 && t.value(i) >= 1900 && t.value(i) < 2200
          ? decade(quote + 1, t.value(i))
          : t.digits(i) == 2 && led ? decade(quote + 1, t.value(i)) : null;
    }
    int century = t.is(i, "nineteen") ? 1900 : t.is(i, "twenty") ? 2000 : 0;
    int name = century == 0 ? i : t.skip(i + 1, Set.of("-"));
    Integer years = DECADES.get(t.at(name));
    boolean led = century > 0 || (t.is(i - 1, "the") && !t.is(name, "tens"));
    return years == null || !led ? null : decade(name + 1, century + years);
  }

  private static Parsed decade(int end, int value) {
    return Parsed.fixed(end, (now, tense) -> {
      int start = value;
      if (value < 100) {
        int century = now.today().getYear() / 100 * 100;
        start = century + value > now.today().getYear() ? century - 100 + value : century + value;
      }
      LocalDate first = LocalDate.of(start, 1, 1);
      return Span.days(first, first.plusYears(10), Grain.DECADE);
    });
  }
}
