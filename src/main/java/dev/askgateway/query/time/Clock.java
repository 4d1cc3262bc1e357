package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A time of day.
 *
 * @param end the token after it
 * @param minute of the day, 0 to 1439
 * @param half whether morning or afternoon is said
 * @param plain whether it is a time by its form; "at 5" needs a date beside it
 */
record Clock(int end, int minute, boolean half, boolean plain) {
  static final int HOUR = 60;
  static final int NOON = 12 * HOUR;
  static final int DAY = 24 * HOUR;

  private static final List<String> NOONS = List.of("noon", "midday", "mediodia", "el mediodia");
  private static final List<String> MIDNIGHTS = List.of("midnight", "medianoche", "la medianoche");
  private static final List<String> O_CLOCK =
      List.of("o'clock", "oclock", "o clock", "horas", "en punto");
  private static final Set<String> MINUTES = Set.of("min", "mins", "minutes", "minute");

  static @Nullable Clock at(Tokens t, int i) {
    int start = t.is(i, "las") || (t.is(i, "la") && t.is(i + 1, "una")) ? i + 1 : i;
    int noon = t.afterAny(i, NOONS);
    int midnight = t.afterAny(i, MIDNIGHTS);
    if (noon > 0 || midnight > 0) {
      return new Clock(Math.max(noon, midnight), noon > 0 ? NOON : 0, true, true);
    }
    Clock spoken = spoken(t, i);
    return spoken != null ? spoken : numbered(t, start, start > i);
  }

  /** "half past seven", "quarter to 5", "20 min past eight", "10 past 9". */
  private static @Nullable Clock spoken(Tokens t, int i) {
    Num minutes = t.is(i, "half")
        ? new Num(30, i + 1)
        : t.after(i, "quarter") > 0
            ? new Num(15, i + 1)
            : t.after(i, "a quarter") > 0 ? new Num(15, i + 2) : Numbers.cardinal(t, i);
    if (minutes == null || minutes.value() >= HOUR) {
      return null;
    }
    int sign = t.skip(minutes.end(), MINUTES);
    boolean past = t.is(sign, "past");
    boolean to = t.is(sign, "to") && (t.is(i, "quarter") || sign > minutes.end());
    Clock hour = past || to ? numbered(t, sign + 1, true) : null;
    if (hour == null || hour.minute() % HOUR != 0) {
      return null;
    }
    int minute = Math.floorMod(hour.minute() + (past ? minutes.value() : -minutes.value()), DAY);
    return new Clock(hour.end(), minute, hour.half(), true);
  }

  private static @Nullable Clock numbered(Tokens t, int i, boolean led) {
    boolean four = t.digits(i) == 4 && t.at(i).charAt(0) == '0';
    boolean digits = t.digits(i) == 1 || t.digits(i) == 2;
    Num hour = four
        ? new Num(t.value(i) / 100, i + 1)
        : digits || (!t.isNumber(i) && !t.in(i, NO_HOURS)) ? Numbers.cardinal(t, i) : null;
    boolean date = hour != null
        && t.is(hour.end(), "-")
        && t.glued(hour.end())
        && t.digits(hour.end() + 1) > 0
        && t.is(hour.end() + 2, "-");
    if (hour == null
        || date
        || hour.value() > 24
        || (t.is(hour.end(), "/") && t.isNumber(hour.end() + 1))) {
      return null;
    }
    int end = hour.end();
    int minute = four ? t.value(i) % 100 : 0;
    boolean colon = (t.is(end, ":") || t.is(end, "."))
        && t.glued(end)
        && t.glued(end + 1)
        && t.digits(end + 1) == 2
        && t.value(end + 1) < HOUR;
    boolean plain = led || four || (t.is(end, ":") && colon);
    if (colon) {
      minute = t.value(end + 1);
      end += 2;
      boolean seconds = t.is(end, ":") && t.digits(end + 1) == 2;
      end = seconds ? end + 2 : end;
    } else if (!digits && !four) { // "nine thirty"
      Num more = Numbers.cardinal(t, end);
      boolean minutes =
          more != null && !t.isNumber(end) && more.value() >= 10 && more.value() < HOUR;
      minute = minutes && more != null ? more.value() : minute;
      end = minutes && more != null ? more.end() : end;
      plain |= minutes;
    } else if (t.is(end, "y") && (t.is(end + 1, "media") || t.is(end + 1, "cuarto"))) {
      minute = t.is(end + 1, "media") ? 30 : 15;
      end += 2;
    }
    return minute >= HOUR
        ? null
        : halved(t, end, hour.value() % 24 * HOUR + minute, plain, hour.value());
  }

  private static final Set<String> NO_HOURS = Set.of(
      "a", "an", "un", "una", "uno", "couple", "few", "several", "par", "zero", "varios", "varias");

  private static @Nullable Clock halved(Tokens t, int end, int minute, boolean plain, int hour) {
    int clocked = t.afterAny(end, O_CLOCK);
    int ish = t.glued(end) && t.is(end, "ish") ? end + 1 : -1;
    int after = Math.max(end, Math.max(clocked, ish));
    boolean sure = plain || clocked > 0 || ish > 0;
    char half = half(t, after);
    int halfEnd = halfEnd(t, after);
    if (half != ' ' && hour <= 12) {
      int base = minute % NOON;
      return new Clock(halfEnd, half == 'p' ? base + NOON : base, true, true);
    }
    boolean unit = Vocabulary.unit(t, after) != null && clocked < 0;
    if (unit || t.is(after, "%")) {
      return null;
    }
    return new Clock(half != ' ' ? halfEnd : after, minute, hour > 12 || hour == 0, sure);
  }

  /** 'a', 'p' or blank: "pm", "p.m.", "p m", "9a". */
  private static char half(Tokens t, int i) {
    String word = t.at(i);
    if (word.equals("am") || word.equals("pm")) {
      return word.charAt(0);
    }
    boolean letter = word.equals("a") || word.equals("p");
    boolean spelt = letter && (t.is(i + 1, "m") || (t.is(i + 1, ".") && t.is(i + 2, "m")));
    return spelt || (letter && t.glued(i) && t.isNumber(i - 1)) ? word.charAt(0) : ' ';
  }

  private static int halfEnd(Tokens t, int i) {
    if (t.is(i, "am") || t.is(i, "pm")) {
      return i + 1;
    }
    if (t.is(i + 1, "m")) {
      return i + 2;
    }
    boolean dotted = t.is(i + 1, ".") && t.is(i + 2, "m");
    return dotted ? t.skip(i + 3, Set.of(".")) : i + 1;
  }

  /** This time, or twelve hours later, so that it lies in the part of the day that is said. */
  Clock within(int from, int to) {
    int other = minute + NOON;
    boolean later =
        !half && minute < NOON && (minute < from || minute >= to) && other < DAY && other >= from;
    return new Clock(end, later ? other : minute, true, true);
  }

  /** Where nothing tells the half of the day: between one and seven people mean the afternoon. */
  Clock guessed() {
    boolean afternoon = !half && minute >= HOUR && minute < 8 * HOUR;
    return new Clock(end, afternoon ? minute + NOON : minute, half, plain);
  }

  Clock endingAt(int token) {
    return new Clock(token, minute, half, plain);
  }

  Clock at(int newMinute, boolean newHalf) {
    return new Clock(end, newMinute, newHalf, plain);
  }
}
