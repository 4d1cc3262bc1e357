package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Days with or without a time of day, in any order: "Saturday night", "at 5pm yesterday", "tonight at 7". */
final class Moments {
  private static final Set<String> JOINTS =
      Set.of("on", "of", ",", "the", "el", "de", "del", "in", "-");

  /** Words and phrases for a day and a part of it. */
  private static final Map<String, Integer> NAMED = new LinkedHashMap<>();

  static {
    NAMED.put("tonight", 0);
    NAMED.put("tonite", 0);
    NAMED.put("anoche", -1);
    for (String part : new String[] {"morning", "afternoon", "evening", "night"}) {
      NAMED.put("this " + part, 0);
      NAMED.put("last " + part, -1);
      NAMED.put("next " + part, 1);
    }
    for (String part : new String[] {"noche", "tarde", "manana", "madrugada"}) {
      NAMED.put("esta " + part, 0);
    }
  }

  private static final int EVENING = 17 * Clock.HOUR;
  private static final int NIGHT_END = 28 * Clock.HOUR;

  private Moments() {}

  static @Nullable Parsed at(Tokens t, int i) {
    return Rules.longest(namedPart(t, i), dayFirst(t, i), timeFirst(t, i), timeOnly(t, i));
  }

  private record Named(int end, int offset, DayTime part) {}

  private static @Nullable Named named(Tokens t, int i) {
    String name = null;
    for (String phrase : NAMED.keySet()) {
      name = t.after(i, phrase) > 0 ? phrase : name;
    }
    if (name == null) {
      return null;
    }
    int end = t.after(i, name);
    DayTime part = name.equals("esta manana")
        ? DayTime.part(new Tokens("por la manana"), 0)
        : DayTime.part(
            name.equals("anoche") ? new Tokens("noche") : t, name.equals("anoche") ? 0 : i + 1);
    boolean night = end == i + 1 && !name.equals("anoche");
    int from = night || part == null ? EVENING : part.from();
    int to = night || part == null ? NIGHT_END : part.to();
    return new Named(
        end, NAMED.getOrDefault(name, 0), new DayTime(end, from, to, true, false, true));
  }

  private static Parsed day(Named named) {
    return Parsed.fixed(
        named.end(), (now, tense) -> Span.day(now.today().plusDays(named.offset())));
  }

  private static @Nullable Parsed namedPart(Tokens t, int i) {
    Named named = named(t, i);
    if (named == null) {
      return null;
    }
    DayTime time = DayTime.at(t, named.end(), true);
    return joined(day(named), time == null ? named.part() : named.part().with(time));
  }

  /** "between 7 and 9:30 last night". */
  private static @Nullable Parsed ofPart(Tokens t, int i, DayTime time) {
    Named named = named(t, i);
    return named == null ? null : joined(day(named), time.with(named.part()));
  }

  private static Parsed joined(Parsed day, DayTime time) {
    return new Parsed(
        Math.max(day.end(), time.end()),
        (now, tense) -> {
          Span span = day.reading().at(now, tense);
          return span == null || span.grain() != Grain.DAY ? null : time.on(span.date());
        },
        day.floating(),
        Parsed.Shape.CALENDAR);
  }

  private static @Nullable Parsed dayFirst(Tokens t, int i) {
    Parsed day = Expressions.day(t, i);
    if (day == null) {
      return null;
    }
    day = dated(t, day);
    int at = t.is(day.end(), "-") || t.is(day.end(), ",") ? day.end() + 1 : day.end();
    DayTime time = DayTime.at(t, at, !t.is(day.end(), "-"));
    if (time == null) {
      return day;
    }
    Num year = t.digits(time.end()) == 4 ? Numbers.year(t, time.end()) : null;
    return year != null && day.floating() ? inYear(joined(day, time), year) : joined(day, time);
  }

  /** "Wed Oct 26 15:50:06 2016". */
  private static Parsed inYear(Parsed moment, Num year) {
    return Parsed.fixed(year.end(), (now, tense) -> moment
        .reading()
        .at(now.movedTo(LocalDate.of(year.value(), 12, 31).atTime(23, 59)), Tense.PAST));
  }

  /** A date beside a weekday or a word for a day is the one that is meant: "Friday 7/6", "tomorrow, 13/04". */
  private static Parsed dated(Tokens t, Parsed day) {
    boolean bracket = t.is(day.end(), "(");
    int at = bracket || t.is(day.end(), ",") ? day.end() + 1 : day.end();
    Parsed date = Rules.longest(Dates.at(t, at), at == day.end() ? Dates.pointed(t, at) : null);
    if (date != null) {
      int end = bracket && t.is(date.end(), ")") ? date.end() + 1 : date.end();
      return new Parsed(end, date.reading(), date.floating(), date.shape());
    }
    boolean weekday = bracket && t.is(at + 1, ")");
    return weekday ? new Parsed(at + 2, day.reading(), day.floating(), day.shape()) : day;
  }

  private static @Nullable Parsed timeFirst(Tokens t, int i) {
    DayTime time = DayTime.at(t, i, true);
    if (time == null) {
      return null;
    }
    int at = t.skip(t.skip(time.end(), JOINTS), JOINTS);
    Parsed part = ofPart(t, t.skip(time.end(), JOINTS), time);
    if (part != null) {
      return part;
    }
    Parsed day = Rules.longest(
        Expressions.day(t, at),
        Expressions.day(t, time.end()),
        Expressions.day(t, t.skip(time.end(), JOINTS)));
    if (day == null) {
      return null;
    }
    Parsed dated = dated(t, day);
    DayTime more = DayTime.at(t, dated.end(), true);
    return joined(dated, more == null ? time : time.with(more));
  }

  private static @Nullable Parsed timeOnly(Tokens t, int i) {
    DayTime time = DayTime.at(t, i, false);
    return time == null || !time.plain()
        ? null
        : Parsed.floating(
            time.end(),
            (now, tense) -> now.nearest(tense, 0, day -> time.on(now.today().plusDays(day))));
  }
}
