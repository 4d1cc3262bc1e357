package dev.askgateway.provider.extractive;

import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a question, cut to stems, to count how many of them a text has. */
final class QuestionWords {
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final Pattern MARKS = Pattern.compile("\\p{Mn}+");
  private static final Pattern ENDING = Pattern.compile("(?:ing|ed|es|s)$");
  private static final int SHORTEST_STEM = 3;

  /** Words that most questions and most messages have. */
  private static final Set<String> COMMON = Set.of(
      "the", "and", "you", "what", "when", "where", "who", "whom", "why", "how", "did", "does",
      "was", "were", "are", "about", "with", "for", "from", "that", "this", "have", "has", "had",
      "any", "our", "she", "him", "her", "his", "they", "them", "say", "said", "tell", "told",
      "talk", "que", "los", "las", "con", "por", "para", "una", "cuando", "quien", "dijo");

  private final Set<String> stems;

  QuestionWords(String question) {
    stems = stems(question);
  }

  /** How many different words of the question the text has. */
  int shared(String text) {
    Set<String> shared = stems(text);
    shared.retainAll(stems);
    return shared.size();
  }

  private static Set<String> stems(String text) {
    String folded = MARKS
        .matcher(Normalizer.normalize(text, Normalizer.Form.NFD))
        .replaceAll("")
        .toLowerCase(Locale.ROOT);
    Set<String> stems = new HashSet<>();
    for (Matcher word = WORD.matcher(folded); word.find(); ) {
      if ((word.group().length() > 2 || Character.isDigit(word.group().charAt(0)))
          && !COMMON.contains(word.group())) {
        stems.add(stem(word.group()));
      }
    }
    return stems;
  }

  private static String stem(String word) {
    String cut = ENDING.matcher(word).replaceFirst("");
    return cut.length() < SHORTEST_STEM ? word : cut;
  }
}
