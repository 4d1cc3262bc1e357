package dev.askgateway.query;

import java.util.List;
import java.util.Set;

/** Which language a question is written in: what 3/5 means depends on it. */
final class Languages {
  private static final Set<String> SPANISH = Set.of(
      "que",
      "quien",
      "quienes",
      "cuando",
      "donde",
      "el",
      "los",
      "las",
      "del",
      "en",
      "con",
      "por",
      "para",
      "dijo",
      "dije",
      "dijimos",
      "hablamos",
      "mensajes",
      "una",
      "un",
      "mi",
      "mis",
      "hace",
      "desde",
      "hasta",
      "entre",
      "fue",
      "hay",
      "tengo",
      "quedamos",
      "sobre",
      "cual",
      "hoy",
      "ayer",
      "manana");

  private Languages() {}

  static boolean isSpanish(List<String> words) {
    return words.stream().anyMatch(SPANISH::contains);
  }
}
