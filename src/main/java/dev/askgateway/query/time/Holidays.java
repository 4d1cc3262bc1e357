package dev.askgateway.query.time;

import dev.askgateway.query.time.Numbers.Num;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Holidays that fall on a fixed date, on a counted weekday, or so many days from Easter (Western). */
final class Holidays {
  private static final Map<String, IntFunction<LocalDate>> DAYS = new LinkedHashMap<>();
  private static final Set<String> JOINTS = Set.of("of", "de", "del", ",", "in");

  static {
    fixed(12, 25, "christmas day, christmas, xmas, navidad, dia de navidad");
    fixed(12, 24, "christmas eve, nochebuena");
    fixed(12, 26, "boxing day");
    fixed(12, 31, "new year's eve, new years eve, new year eve, nye, nochevieja, fin de ano");
    fixed(1, 1, "new year's day, new years day, new year's, new year, ano nuevo");
    fixed(1, 6, "epiphany, dia de reyes, dia de los reyes, reyes magos");
    fixed(2, 14, "valentine's day, valentines day, valentine's, valentines, san valentin");
    fixed(3, 17, "st patrick's day, st . patrick's day, saint patrick's day");
    fixed(4, 22, "earth day");
    fixed(
        5, 1, "may day, international workers' day, international workers ' day, dia del trabajo");
    fixed(5, 10, "dia de las madres");
    fixed(7, 4, "independence day");
    fixed(10, 31, "halloween, noche de brujas");
    fixed(11, 1, "all saints' day, all saints day, dia de todos los santos");
    fixed(11, 2, "day of the dead, dia de muertos, dia de los muertos, all souls day");
    nth(1, DayOfWeek.MONDAY, 3, "mlk day, martin luther king day");
    nth(5, DayOfWeek.SUNDAY, 2, "mother's day, mothers day");
    nth(5, DayOfWeek.MONDAY, -1, "memorial day");
    nth(6, DayOfWeek.SUNDAY, 3, "father's day, fathers day, dia del padre");
    nth(9, DayOfWeek.MONDAY, 1, "labor day, labour day");
    nth(
        11,
        DayOfWeek.THURSDAY,
        4,
        "thanksgiving day, thanksgiving, thanks giving day, accion de gracias");
    put("black friday", year -> counted(year, 11, DayOfWeek.THURSDAY, 4).plusDays(1));
    easter(0, "easter sunday, easter, domingo de pascua, pascua");
    easter(-2, "good friday, viernes santo");
    easter(-3, "maundy thursday, jueves santo");
    easter(1, "easter monday");
  }

  private Holidays() {}

  private static void put(String names, IntFunction<LocalDate> day) {
    Numbers.phrases(names).forEach(name -> DAYS.put(name, day));
  }

  private static void fixed(int month, int day, String names) {
    put(names, year -> LocalDate.of(year, month, day));
  }

  private static void nth(int month, DayOfWeek day, int nth, String names) {
    put(names, year -> counted(year, month, day, nth));
  }

  private static void easter(int days, String names) {
    put(names, year -> easterOf(year).plusDays(days));
  }

  private static LocalDate counted(int year, int month, DayOfWeek day, int nth) {
    return LocalDate.of(year, month, 1).with(TemporalAdjusters.dayOfWeekInMonth(nth, day));
  }

  /** The Gregorian computus, in the form of Meeus, Jones and Butcher. */
  static LocalDate easterOf(int year) {
    int a = year % 19;
    int b = year / 100;
    int c = year % 100;
    int d = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    int e = (32 + 2 * (b % 4) + 2 * (c / 4) - d - c % 4) % 7;
    int f = d + e - 7 * ((a + 11 * d + 22 * e) / 451) + 114;
    return LocalDate.of(year, f / 31, f % 31 + 1);
  }

  static @Nullable Parsed at(Tokens t, int i) {
    Integer shift = Vocabulary.shift(t, i);
    int start = shift == null ? t.skip(i, Set.of("the", "el", "la")) : i + 1;
    String name = nameAt(t, start);
    IntFunction<LocalDate> day = name == null ? null : DAYS.get(name);
    if (name == null || day == null) {
      return null;
    }
    int end = t.after(start, name);
    Num year = Numbers.year(t, t.skip(end, JOINTS));
    if (year != null) {
      return weekend(
          t,
          year.end(),
          Parsed.fixed(year.end(), (now, tense) -> Span.day(day.apply(year.value()))));
    }
    Parsed relative = Periods.year(t, t.skip(end, JOINTS));
    if (relative != null) {
      return Parsed.fixed(relative.end(), (now, tense) -> {
        Span span = relative.reading().at(now, tense);
        return span == null ? null : Span.day(day.apply(span.date().getYear()));
      });
    }
    Parsed plain = shift == null || shift == 0
        ? Parsed.floating(end, (now, tense) -> nearest(now, tense, day, false))
        : Parsed.fixed(
            end, (now, tense) -> nearest(now, shift < 0 ? Tense.PAST : Tense.FUTURE, day, true));
    return weekend(t, end, plain);
  }

  private static @Nullable String nameAt(Tokens t, int i) {
    String best = null;
    for (String name : DAYS.keySet()) {
      if (t.after(i, name) > 0 && (best == null || name.length() > best.length())) {
        best = name;
      }
    }
    return best;
  }

  private static @Nullable Span nearest(
      Now now, Tense tense, IntFunction<LocalDate> day, boolean other) {
    return now.nearest(tense, now.today().getYear(), year -> {
      LocalDate date = day.apply((int) year);
      return other && date.equals(now.today()) ? null : Span.day(date);
    });
  }

  /** "Labor Day weekend": with the weekend before a Monday, after a Friday, else the one of its week. */
  private static Parsed weekend(Tokens t, int end, Parsed day) {
    if (!t.is(end, "weekend")) {
      return day;
    }
    return new Parsed(
        end + 1,
        (now, tense) -> {
          Span span = day.reading().at(now, tense);
          if (span == null) {
            return null;
          }
          LocalDate date = span.date();
          LocalDate saturday = date.getDayOfWeek() == DayOfWeek.MONDAY
              ? date.minusDays(2)
              : Grain.WEEK.floor(date).plusDays(5);
          LocalDate first =
              date.isBefore(saturday) && date.plusDays(1).equals(saturday) ? date : saturday;
          LocalDate last = date.isAfter(saturday.plusDays(1)) ? date : saturday.plusDays(1);
          return Span.days(first, last.plusDays(1), Grain.OTHER);
        },
        day.floating(),
        Parsed.Shape.CALENDAR);
  }
}
