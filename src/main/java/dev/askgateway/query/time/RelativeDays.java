package dev.askgateway.query.time;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Days counted from today by a word of their own. "Manana" after "esta" or "la" is the morning. */
final class RelativeDays {
  private static final Map<String, Integer> DAYS = new LinkedHashMap<>();

  static {
    put(0, "today, hoy, this day, otd, el dia de hoy, todays, today's");
    put(
        -1,
        "yesterday, ayer, the day before, last day, el dia anterior, previous day, yesterday's, ayer mismo");
    put(
        1,
        "tomorrow, manana, the day after, next day, the next day, tmr, tomorrow's, following day");
    put(-2, "day before yesterday, the day before yesterday, anteayer, antier, antes de ayer");
    put(2, "day after tomorrow, the day after tomorrow, pasado manana");
  }

  private RelativeDays() {}

  private static void put(int offset, String phrases) {
    Numbers.phrases(phrases).forEach(phrase -> DAYS.put(phrase, offset));
  }

  static @Nullable Parsed at(Tokens t, int i) {
    int end = -1;
    int offset = 0;
    for (Map.Entry<String, Integer> day : DAYS.entrySet()) {
      int after = t.after(i, day.getKey());
      if (after > end) {
        end = after;
        offset = day.getValue();
      }
    }
    boolean morning = t.is(i, "manana") && (t.is(i - 1, "esta") || t.is(i - 1, "la"));
    boolean other =
        t.is(i, "last") || (t.is(i, "the") && (t.is(i + 2, "before") || t.is(i + 2, "after")));
    // "The day before the party" counts from something else.
    if (end < 0 || morning || (other && offset * offset == 1 && !t.isBreak(end))) {
      return null;
    }
    int days = offset;
    return Parsed.fixed(end, (now, tense) -> Span.day(now.today().plusDays(days)));
  }
}
