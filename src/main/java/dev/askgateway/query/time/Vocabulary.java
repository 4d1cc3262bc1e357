package dev.askgateway.query.time;

import java.time.DayOfWeek;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The words of the calendar, folded, English and Spanish. */
final class Vocabulary {
  private static final Map<String, Integer> MONTHS = table(
      "january enero, february febrero, march marzo, april abril, may mayo, june junio, july julio,"
          + " august agosto, september septiembre setiembre, october octubre, november noviembre,"
          + " december diciembre");
  private static final Map<String, Integer> SHORT_MONTHS =
      table("jan ene, feb, mar, apr abr, may, jun, jul, aug, sep sept, oct, nov, dec dic");
  private static final Map<String, Integer> WEEKDAYS =
      table("monday lunes, tuesday martes, wednesday miercoles, thursday jueves, friday viernes,"
          + " saturday sabado, sunday domingo");
  private static final Map<String, Integer> SHORT_WEEKDAYS =
      table("mon, tue tues, wed, thu thur thurs, fri, sat, sun");

  private static final Map<String, Grain> UNITS = new HashMap<>();

  static {
    unit(Grain.MINUTE, "minute minutes min mins minuto minutos");
    unit(Grain.HOUR, "hour hours hr hrs h hora horas");
    unit(Grain.DAY, "day days dia dias");
    unit(Grain.WEEK, "week weeks week's semana semanas");
    unit(Grain.FORTNIGHT, "fortnight fortnights fortnight's quincena quincenas");
    unit(Grain.MONTH, "month months mes meses");
    unit(Grain.QUARTER, "quarter quarters trimestre trimestres");
    unit(Grain.YEAR, "year years ano anos");
    unit(Grain.DECADE, "decade decades decada decadas");
  }

  private static final Map<String, Integer> BEFORE_NOUN = new HashMap<>();

  static {
    shift(-1, "last past previous ultimo ultima pasado pasada");
    shift(0, "this current same este esta present");
    shift(1, "next coming upcoming following proximo proxima siguiente");
  }

  /** Months that are also other words: read as months only where a date is expected. */
  private static final Set<String> DOUBTFUL_MONTHS =
      Set.of("may", "march", "mar", "dec", "ene", "dic");

  /** Words that a date is expected after. */
  static final Set<String> DATE_LEADERS = Set.of(
      "in",
      "of",
      "during",
      "since",
      "until",
      "till",
      "by",
      "this",
      "last",
      "next",
      "early",
      "late",
      "mid",
      "middle",
      "from",
      "to",
      "through",
      "thru",
      "after",
      "before",
      "between",
      "and",
      "or",
      "end",
      "beginning",
      "start",
      "on",
      "en",
      "de",
      "del",
      "desde",
      "hasta",
      "entre",
      "a",
      "el",
      "que",
      "the",
      "past",
      "previous",
      "-",
      "for",
      "para",
      "year",
      "upcoming",
      "coming");

  private Vocabulary() {}

  private static Map<String, Integer> table(String rows) {
    Map<String, Integer> map = new HashMap<>();
    int number = 1;
    for (String row : rows.split(",")) {
      for (String word : row.strip().split(" ")) {
        map.put(word, number);
      }
      number++;
    }
    return map;
  }

  private static void unit(Grain grain, String words) {
    for (String word : words.split(" ")) {
      UNITS.put(word, grain);
    }
  }

  private static void shift(int offset, String words) {
    for (String word : words.split(" ")) {
      BEFORE_NOUN.put(word, offset);
    }
  }

  /** The month a token surely names in a date with a day or a year, or 0. */
  static int monthInDate(Tokens t, int i) {
    Integer month = MONTHS.getOrDefault(t.at(i), SHORT_MONTHS.get(t.at(i)));
    return month == null ? 0 : month;
  }

  /** The month a token names by itself, or 0: short and doubtful names only where a date is expected. */
  static int month(Tokens t, int i) {
    int month = monthInDate(t, i);
    boolean sure = MONTHS.containsKey(t.at(i)) && !DOUBTFUL_MONTHS.contains(t.at(i));
    boolean led = t.in(i - 1, DATE_LEADERS) && !(t.in(i - 1, SUBJECTS) && t.isWord(i + 1));
    boolean range = t.in(i + 1, TO) && monthInDate(t, i + 2) > 0;
    return sure || led || range ? month : 0;
  }

  /** Words that "may" is a verb after, unless nothing follows. */
  private static final Set<String> SUBJECTS =
      Set.of("this", "or", "and", "the", "to", "a", "el", "que", "last", "next", "past", "on");

  private static final Set<String> TO = Set.of("to", "-", "–", "through", "until", "till", "and");

  /** The weekday a token names, or null; short names only where a date is expected or follows. */
  static @Nullable DayOfWeek weekday(Tokens t, int i) {
    Integer day = WEEKDAYS.get(t.at(i));
    if (day == null && (t.in(i - 1, SHORT_LEADERS) || dateFollows(t, i))) {
      day = SHORT_WEEKDAYS.get(t.at(i));
    }
    return day == null ? null : DayOfWeek.of(day);
  }

  private static final Set<String> SHORT_LEADERS = Set.of(
      "on",
      "last",
      "next",
      "this",
      "past",
      "previous",
      "coming",
      "week",
      "from",
      "or",
      "to",
      "(",
      "and");

  private static boolean dateFollows(Tokens t, int i) {
    int next = t.is(i + 1, ",") || t.is(i + 1, ".") || t.is(i + 1, "the") ? i + 2 : i + 1;
    return t.isNumber(next) || monthInDate(t, next) > 0;
  }

  static @Nullable Grain unit(Tokens t, int i) {
    return UNITS.get(t.at(i));
  }

  /** "last" -1, "this" 0, "next" 1, or null. */
  static @Nullable Integer shift(Tokens t, int i) {
    return BEFORE_NOUN.get(t.at(i));
  }

  /** "pasado" -1, "que viene" 1 after the word they belong to; {@code end} is the token after them. */
  static Numbers.@Nullable Num shiftAfter(Tokens t, int i) {
    if (t.is(i, "pasado") || t.is(i, "pasada")) {
      return new Numbers.Num(-1, i + 1);
    }
    if (t.is(i, "que") && (t.is(i + 1, "viene") || t.is(i + 1, "entra"))) {
      return new Numbers.Num(1, i + 2);
    }
    boolean next = t.is(i, "proximo") || t.is(i, "proxima") || t.is(i, "siguiente");
    return next ? new Numbers.Num(1, i + 1) : null;
  }
}
