package dev.askgateway.provider.extractive;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of a question, cut to stems, each with a weight: a word that few of the evidence messages
 * have tells more about which of them answers than one that nearly all have.
 */
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

  private final Map<String, Double> weights = new HashMap<>();

  QuestionWords(String question, List<EvidenceWindow> evidence) {
    List<Set<String>> texts = evidence.stream()
        .flatMap(window -> window.messages().stream())
        .map(message -> stems(told(message)))
        .toList();
    for (String stem : stems(question)) {
      long having = texts.stream().filter(text -> text.contains(stem)).count();
      weights.put(stem, Math.log(1 + (texts.size() + 1.0) / (having + 1.0)));
    }
  }

  /** What a message tells: who wrote it is part of it. */
  private static String told(EvidenceMessage message) {
    return message.senderName() + " " + message.text();
  }

  /** The weight of the question's words that the message or its sender's name has. */
  double in(EvidenceMessage message) {
    return in(told(message));
  }

  /** The weight of the question's words that the text has. */
  double in(String text) {
    double weight = 0;
    for (String stem : stems(text)) {
      weight += weights.getOrDefault(stem, 0.0);
    }
    return weight;
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
