package dev.askgateway.query.time;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a day: "in the morning", "at 5pm", "between 3 and 5", "before 2pm". Parts of the day are
 * wide and overlap, as they do in speech, and a night ends at four. A time is half an hour around it.
 *
 * @param end the token after it
 * @param from minutes from the day's beginning, 0 to 1439
 * @param to minutes from the day's beginning, after {@code from}, over 1440 for the day after
 * @param plain whether it is a time without a date beside it
 * @param open whether the half of the day is a guess
 * @param named whether it is a part of the day by name
 */
record DayTime(int end, int from, int to, boolean plain, boolean open, boolean named) {
  static final int HALF_HOUR = 30;

  /** @param split where early ends and late begins */
  private record Part(int from, int split, int to) {}

  private static final Map<String, Part> PARTS = new HashMap<>();

  static {
    part(5, 10, 12, "morning, mornings, manana, this morning");
    part(12, 14, 18, "afternoon, tarde");
    part(16, 18, 23, "evening");
    part(18, 22, 28, "night, noche, nite");
    part(0, 3, 6, "madrugada, small hours");
    part(11, 12, 14, "lunchtime, lunch time");
    part(8, 12, 18, "daytime");
    part(5, 10, 12, "am");
    part(12, 16, 24, "pm");
  }

  private static final List<String> LEADS = Numbers.phrases(
      "in the, during the, at, on the, por la, en la, de la, al, por el, a la, in, de, the, ,");
  private static final Set<String> LOOSE_LEADS = Set.of("in", "de", "the", "on the", "de la");
  private static final Set<String> ABOUT =
      Set.of("at", "@", "around", "about", "circa", "a", "sobre", "hacia", "como", "for", "t", ",");
  private static final List<String> UNTIL = Numbers.phrases(
      "before, no later than, not later than, prior to, until, till, by, antes de, hasta, earlier than,"
          + " as late as, < =, <, on or earlier than, at or before");
  private static final List<String> FROM = Numbers.phrases(
      "after, later than, since, no earlier than, as early as, despues de, desde, at or after, > =, >");
  private static final Set<String> TO =
      Set.of("to", "-", "–", "~", "until", "till", "and", "through", "a", "y");
  private static final List<String> OR_LATER =
      Numbers.phrases("or later, or after, onwards, on, en adelante");

  private static void part(int from, int split, int to, String words) {
    for (String word : Numbers.phrases(words)) {
      PARTS.put(word, new Part(from * Clock.HOUR, split * Clock.HOUR, to * Clock.HOUR));
    }
  }

  /** @param dated whether a date stands beside it, so that a bare number is an hour */
  static @Nullable DayTime at(Tokens t, int i, boolean dated) {
    DayTime first = one(t, i, dated);
    if (first == null) {
      return null;
    }
    DayTime second = one(t, t.is(first.end(), ",") ? first.end() + 1 : first.end(), true);
    return second == null || (!first.named() && !second.named()) ? first : first.with(second);
  }

  /** A part of the day beside a time says which half it is in. */
  DayTime with(DayTime other) {
    boolean thisIsPart = named;
    DayTime part = thisIsPart ? this : other;
    DayTime time = thisIsPart ? other : this;
    int shift = 0;
    if (time.open()) {
      int middle = (time.from() + time.to()) / 2;
      boolean late = part.from() >= Clock.NOON;
      shift = late && middle < Clock.NOON
          ? Clock.NOON
          : !late && part.to() <= Clock.NOON && middle > Clock.NOON ? -Clock.NOON : 0;
    }
    return new DayTime(
        Math.max(end, other.end()),
        time.from() + shift,
        time.to() + shift,
        plain || other.plain(),
        false,
        time.named());
  }

  private static @Nullable DayTime one(Tokens t, int i, boolean dated) {
    DayTime best = part(t, i);
    for (DayTime candidate :
        new @Nullable DayTime[] {range(t, i, dated), bounded(t, i, dated), point(t, i, dated)}) {
      best = candidate != null && (best == null || candidate.end() > best.end()) ? candidate : best;
    }
    return best;
  }

  /** "in the morning", "late evening", "at night", "por la tarde". */
  static @Nullable DayTime part(Tokens t, int i) {
    for (String lead : LEADS) {
      int at = lead.isEmpty() ? i : t.after(i, lead);
      at = at < 0 ? i : at;
      boolean early = t.is(at, "early");
      boolean late = t.is(at, "late");
      int name = early || late ? at + 1 : at;
      name = t.skip(name, Set.of("-"));
      int inThe = early || late ? t.after(name, "in the") : -1;
      Part part = PARTS.get(t.at(inThe > 0 ? inThe : name));
      if (part != null) {
        boolean spanishTomorrow = t.is(name, "manana") && name == i;
        return spanishTomorrow
            ? null
            : new DayTime(
                (inThe > 0 ? inThe : name) + 1,
                late ? part.split() : part.from(),
                early ? part.split() : part.to(),
                early || late || (name > i && !LOOSE_LEADS.contains(lead)),
                false,
                true);
      }
    }
    return null;
  }

  /** A time with the part of the day that may follow it: "3 in the afternoon". */
  private static @Nullable Clock clock(Tokens t, int i) {
    Clock clock = Clock.at(t, i);
    DayTime part = clock == null ? null : part(t, clock.end());
    return clock == null
            || part == null
            || (!part.plain() && !t.is(clock.end(), "in") && !t.is(clock.end(), "de"))
        ? clock
        : clock.within(part.from(), part.to()).endingAt(part.end());
  }

  private static @Nullable DayTime point(Tokens t, int i, boolean dated) {
    int at = t.skip(t.skip(i, ABOUT), ABOUT);
    Clock clock = clock(t, at);
    if (clock == null
        || !(clock.plain()
            || (dated && (at > i || !t.isWord(clock.end())))
            || (at > i && t.is(i, "at") && t.isBreak(clock.end()) && !t.is(clock.end(), "/")))) {
      return null;
    }
    int later = clock.plain() || dated ? t.afterAny(clock.end(), OR_LATER) : -1;
    Clock guess = clock.guessed();
    if (later > 0 && !t.is(clock.end(), "on")) {
      return new DayTime(later, guess.minute(), Clock.DAY, clock.plain(), !clock.half(), false);
    }
    return around(guess, clock.end(), clock.plain() || at > i, !clock.half());
  }

  private static DayTime around(Clock clock, int end, boolean plain, boolean open) {
    return new DayTime(
        end, clock.minute() - HALF_HOUR, clock.minute() + HALF_HOUR, plain, open, false);
  }

  private static @Nullable DayTime bounded(Tokens t, int i, boolean dated) {
    int until = t.afterAny(i, UNTIL);
    int from = t.afterAny(i, FROM);
    int at = t.skip(Math.max(until, from), ABOUT);
    Clock clock = at > i ? clock(t, at) : null;
    if (clock == null || !(clock.plain() || dated || (t.isBreak(clock.end()) && t.isNumber(at)))) {
      return null;
    }
    Clock guess = clock.guessed();
    return until >= from
        ? new DayTime(clock.end(), 0, Math.max(1, guess.minute()), true, !clock.half(), false)
        : new DayTime(clock.end(), guess.minute(), Clock.DAY, true, !clock.half(), false);
  }

  private static @Nullable DayTime range(Tokens t, int i, boolean dated) {
    boolean led = t.is(i, "from") || t.is(i, "between") || t.is(i, "entre") || t.is(i, "de");
    Clock first = clock(t, led ? i + 1 : i);
    Clock second = first == null || !t.in(first.end(), TO) ? null : clock(t, first.end() + 1);
    boolean plain = second != null && first != null && (first.plain() || second.plain());
    boolean and = first != null && (t.is(first.end(), "and") || t.is(first.end(), "y"));
    if (first == null || second == null || !(plain || dated) || (and && !led)) {
      return null;
    }
    boolean open = !first.half() && !second.half();
    int start = first.half() ? first.minute() : begin(first, second);
    int stop = second.half() ? second.minute() : finish(start, second);
    return new DayTime(
        second.end(), start, stop > start ? stop : stop + Clock.DAY, plain, open, false);
  }

  /** The first of two times takes the half of the second, unless that would put it behind. */
  private static int begin(Clock first, Clock second) {
    if (!second.half()) {
      return first.guessed().minute();
    }
    int same = second.minute() >= Clock.NOON && first.minute() < Clock.NOON
        ? first.minute() + Clock.NOON
        : first.minute();
    return same < second.minute() ? same : first.minute() % Clock.NOON;
  }

  private static int finish(int start, Clock second) {
    int minute = second.minute();
    while (minute <= start) {
      minute += Clock.NOON;
    }
    return minute;
  }

  Span on(LocalDate date) {
    return Span.of(
        date.atStartOfDay().plusMinutes(from), date.atStartOfDay().plusMinutes(to), Grain.HOUR);
  }
}
