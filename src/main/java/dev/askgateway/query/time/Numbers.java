package dev.askgateway.query.time;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts, ordinals and years, in digits and in words. */
final class Numbers {

  /** @param end the token after it */
  record Num(int value, int end) {}

  private static final Map<String, Integer> CARDINALS = numbered(
      0,
      "zero one/a/an/un/una/uno two/couple/par/dos three/few/several/tres/pocos/pocas/varios/varias"
          + " four/cuatro five/cinco six/seis seven/siete eight/ocho nine/nueve ten/diez eleven/once"
          + " twelve/doce thirteen/trece fourteen/catorce fifteen/quince sixteen/dieciseis"
          + " seventeen/diecisiete eighteen/dieciocho nineteen/diecinueve twenty/veinte veintiuno"
          + " veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho"
          + " veintinueve");
  private static final Map<String, Integer> ORDINALS = numbered(
      1,
      "first/primero/primer/primera second/segundo/segunda third/tercero/tercer/tercera"
          + " fourth/cuarto/cuarta fifth/quinto/quinta sixth seventh eighth ninth tenth eleventh"
          + " twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
          + " twentieth");
  private static final Map<String, Integer> TENS = Map.ofEntries(
      Map.entry("twenty", 20),
      Map.entry("thirty", 30),
      Map.entry("treinta", 30),
      Map.entry("forty", 40),
      Map.entry("cuarenta", 40),
      Map.entry("fifty", 50),
      Map.entry("cincuenta", 50),
      Map.entry("sixty", 60),
      Map.entry("seventy", 70),
      Map.entry("eighty", 80),
      Map.entry("ninety", 90));
  private static final Map<String, Integer> CENTURIES = Map.of("nineteen", 19, "twenty", 20);
  private static final Set<String> SUFFIXES = Set.of("st", "nd", "rd", "th", "ro", "º", "ª");
  private static final Set<String> OF = Set.of("of", "de");
  private static final int CENTURY = 100;

  private Numbers() {}

  private static Map<String, Integer> numbered(int first, String words) {
    Map<String, Integer> map = new HashMap<>();
    int value = first;
    for (String names : words.split(" ")) {
      for (String name : names.split("/")) {
        map.put(name, value);
      }
      value++;
    }
    return map;
  }

  /** "3", "three", "twenty-one", "a couple of". */
  static @Nullable Num cardinal(Tokens t, int i) {
    if (t.isNumber(i)) {
      return t.digits(i) <= 3 ? new Num(t.value(i), i + 1) : null;
    }
    if (t.is(i, "a") && (t.is(i + 1, "couple") || t.is(i + 1, "few"))) {
      return cardinal(t, i + 1);
    }
    Integer tens = TENS.get(t.at(i));
    if (tens != null) {
      int unit = t.is(i + 1, "-") || (t.is(i + 1, "y") && tens > 20) ? i + 2 : i + 1;
      Integer one = CARDINALS.get(t.at(unit));
      return one != null && one > 0 && one < 10 && t.at(unit).length() > 2
          ? new Num(tens + one, unit + 1)
          : new Num(tens, i + 1);
    }
    Integer value = CARDINALS.get(t.at(i));
    if (value == null) {
      return null;
    }
    boolean vague = t.is(i, "couple") || t.is(i, "par");
    return new Num(value, vague ? t.skip(i + 1, OF) : i + 1);
  }

  /** "5th", "fifth", "twenty-first", "thirty first", "primero". */
  static @Nullable Num ordinal(Tokens t, int i) {
    if (t.isNumber(i)) {
      boolean suffixed = t.glued(i + 1) && t.in(i + 1, SUFFIXES);
      return suffixed && t.digits(i) <= 3 ? new Num(t.value(i), i + 2) : null;
    }
    Integer tens = TENS.get(t.at(i));
    if (tens != null) {
      int unit = t.is(i + 1, "-") ? i + 2 : i + 1;
      Integer one = ORDINALS.get(t.at(unit));
      return one != null && one < 10 ? new Num(tens + one, unit + 1) : null;
    }
    if (t.is(i, "thirtieth")) {
      return new Num(30, i + 1);
    }
    Integer value = ORDINALS.get(t.at(i));
    return value == null ? null : new Num(value, i + 1);
  }

  /** A day of a month, as a number or an ordinal. */
  static @Nullable Num dayOfMonth(Tokens t, int i) {
    Num num = ordinal(t, i);
    if (num == null && !(t.isNumber(i) && t.digits(i) > 2) && !t.in(i, NO_DAYS)) {
      num = cardinal(t, i);
    }
    return num != null && num.value() >= 1 && num.value() <= 31 ? num : null;
  }

  private static final Set<String> NO_DAYS =
      Set.of("a", "an", "un", "una", "couple", "few", "several", "par", "once");

  /** "2016", "nineteen ninety nine", "two thousand and eighteen". */
  static @Nullable Num year(Tokens t, int i) {
    if (t.digits(i) == 4) {
      boolean decade = t.glued(i + 1) && t.is(i + 1, "s");
      return t.value(i) >= 1900 && t.value(i) < 2200 && !decade ? new Num(t.value(i), i + 1) : null;
    }
    if (t.is(i, "two") && t.is(i + 1, "thousand")) {
      int rest = t.skip(i + 2, Set.of("and"));
      Num more = t.in(rest, NO_DAYS) ? null : cardinal(t, rest);
      return more == null || more.value() >= CENTURY
          ? new Num(2000, i + 2)
          : new Num(2000 + more.value(), more.end());
    }
    Integer century = CENTURIES.get(t.at(i));
    if (century == null) {
      return null;
    }
    Num rest = t.in(i + 1, NO_DAYS) || t.isNumber(i + 1) ? null : cardinal(t, i + 1);
    return rest == null || rest.value() < 10
        ? null
        : new Num(century * CENTURY + rest.value(), rest.end());
  }

  /** "18" or "'18" after a date, the year of this century or, from 70 on, of the last. */
  static int ofTwoDigits(int value) {
    return value < 70 ? 2000 + value : 1900 + value;
  }

  /** The phrase lists of other tables. */
  static List<String> phrases(String text) {
    return List.of(text.strip().split("\\s*,\\s*"));
  }
}
