package dev.askgateway.query;

import dev.askgateway.query.time.Tense;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Which way a bare "Saturday" of a question points, and whether the question says so. */
final class TenseRules {
  private static final Set<String> FUTURE_WORDS = Set.of(
      "will",
      "shall",
      "ll",
      "tomorrow",
      "upcoming",
      "coming",
      "going",
      "gonna",
      "doing",
      "free",
      "available",
      "voy",
      "vamos",
      "va",
      "van",
      "sera",
      "hare",
      "haremos",
      "tengo",
      "tenemos",
      "viene");

  /** The event itself lies behind: "who did I meet", "was the dinner". */
  private static final Set<String> EVENT_BEHIND = Set.of(
      "was",
      "were",
      "had",
      "went",
      "met",
      "happened",
      "came",
      "saw",
      "ate",
      "did",
      "fue",
      "fui",
      "fuimos",
      "estuvo",
      "vi",
      "vimos",
      "paso",
      "conoci");

  /** Talking about a plan, not doing it: "what did we agree for Saturday" looks ahead. */
  private static final Set<String> TALKING = Set.of(
      "plan",
      "plans",
      "planned",
      "agree",
      "agreed",
      "arrange",
      "arranged",
      "decide",
      "decided",
      "schedule",
      "scheduled",
      "say",
      "said",
      "make",
      "made",
      "suggest",
      "propose",
      "promise",
      "set",
      "organise",
      "organize",
      "dijo",
      "dijimos",
      "acordamos",
      "hice",
      "hicimos",
      "quedamos");

  private static final Set<String> PRESENT = Set.of(
      "is", "are", "am", "isn", "aren", "do", "does", "don", "doesn", "es", "son", "hay", "tiene",
      "tienen", "toca");

  private TenseRules() {}

  /** What's, when's, where's, who's: a verb, unlike the end of "Ana's". */
  private static final Pattern SHORT_IS =
      Pattern.compile("\\b(?:what|when|where|who|how|there|it|he|she)'s\\b");

  /** Somebody did something: "the man we visited". "Booked" alone may be what a table is. */
  private static final Pattern SOMEBODY_DID =
      Pattern.compile("\\b(?:i|we|you|he|she|they) (?:\\w+ )?\\w{2,}ed\\b");

  /**
   * Whether the question is about what is or is to come, nothing in it being told as past: a bare
   * "Saturday" in it is the date of an event.
   */
  static boolean isPresent(String folded) {
    List<String> words = FoldedText.words(folded);
    return words.stream().noneMatch(EVENT_BEHIND::contains)
        && !SOMEBODY_DID.matcher(folded).find()
        && !QuestionShape.isAboutMessages(folded)
        && (SHORT_IS.matcher(folded).find() || words.stream().anyMatch(PRESENT::contains));
  }

  /**
   * Questions about messages look back unless they say otherwise; questions about plans look ahead
   * unless the event is told as past.
   */
  static Tense of(List<String> words, boolean aboutPlans) {
    if (words.stream().anyMatch(FUTURE_WORDS::contains)) {
      return Tense.FUTURE;
    }
    return !aboutPlans || isBehind(words) ? Tense.PAST : Tense.FUTURE;
  }

  private static boolean isBehind(List<String> words) {
    return words.stream().anyMatch(EVENT_BEHIND::contains)
        && words.stream().noneMatch(TALKING::contains);
  }

  /** Whether the question itself tells past from future; else a bare "Saturday" may be either. */
  static boolean isTold(String folded, List<String> words, boolean aboutPlans) {
    if (words.stream().anyMatch(FUTURE_WORDS::contains) || isBehind(words)) {
      return true;
    }
    return !aboutPlans
        && (QuestionShape.isAboutMessages(folded)
            || SOMEBODY_DID.matcher(folded).find()
            || isPresent(folded)
            || words.stream().anyMatch(EVENT_BEHIND::contains));
  }
}
