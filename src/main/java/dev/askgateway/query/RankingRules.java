package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Ranking;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many people a question wants, and by what they are ordered. */
final class RankingRules {
  private static final int LIMIT = 10;
  private static final int MOST = 50;

  private static final Pattern CLOSENESS =
      Pattern.compile("\\b(?:closest|best friends?|mas cercan[oa]s|mejores amig[oa]s)\\b");
  private static final Pattern FREQUENCY = Pattern.compile(
      "\\b(?:talk|text|chat|speak|message|write)(?: to| with)?(?: the)? most\\b|\\bmost(?:ly)? (?:talk|text)\\b"
          + "|\\b(?:con quien|a quien) (?:hablo|escribo) mas\\b|\\bmost (?:active|frequent)\\b");
  private static final Pattern RECENCY =
      Pattern.compile("\\b(?:latest|newest|most recent) (?:contacts?|people|friends?)\\b"
          + "|\\b(?:people|contacts?) i (?:last|recently) (?:talked|texted|spoke)\\b"
          + "|\\bwho did i (?:talk|text|speak)(?: to| with)? last$");

  private static final Map<String, Integer> NUMBERS = Map.ofEntries(
      Map.entry("two", 2),
      Map.entry("dos", 2),
      Map.entry("three", 3),
      Map.entry("tres", 3),
      Map.entry("four", 4),
      Map.entry("cuatro", 4),
      Map.entry("five", 5),
      Map.entry("cinco", 5),
      Map.entry("ten", 10),
      Map.entry("diez", 10));
  private static final String NUMBER = "(\\d{1,2}|" + String.join("|", NUMBERS.keySet()) + ")";
  private static final Pattern COUNT =
      Pattern.compile("\\b(?:top|first|my|mis|the|los|las) " + NUMBER
          + " (?:closest|best|people|friends|contacts|most|mas|mejores|amig[oa]s|personas|contactos)\\b"
          + "|\\btop " + NUMBER + "\\b");

  private RankingRules() {}

  /** Whether a question orders people at all. */
  static boolean ranks(String folded) {
    return FREQUENCY.matcher(folded).find() || RECENCY.matcher(folded).find();
  }

  static @Nullable Ranking ranking(String folded) {
    String kind = CLOSENESS.matcher(folded).find()
        ? "closeness"
        : FREQUENCY.matcher(folded).find()
            ? "frequency"
            : RECENCY.matcher(folded).find() ? "recency" : null;
    return kind == null ? null : new Ranking(kind, limit(folded));
  }

  private static int limit(String folded) {
    Matcher count = COUNT.matcher(folded);
    if (!count.find()) {
      return LIMIT;
    }
    String word = count.group(1) != null ? count.group(1) : count.group(2);
    Integer named = NUMBERS.get(word);
    int limit = named != null ? named : Integer.parseInt(word);
    return Math.max(1, Math.min(MOST, limit));
  }
}
