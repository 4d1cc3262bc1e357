package dev.askgateway.query;

import java.util.List;
import java.util.Set;

/** Which way a bare "Saturday" points. */
enum Tense {
  PAST,
  FUTURE;

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

  /**
   * Questions about messages look back unless they say otherwise; questions about plans look ahead
   * unless the event is told as past.
   */
  static Tense of(List<String> words, boolean aboutPlans) {
    if (words.stream().anyMatch(FUTURE_WORDS::contains)) {
      return FUTURE;
    }
    if (!aboutPlans) {
      return PAST;
    }
    boolean behind = words.stream().anyMatch(EVENT_BEHIND::contains);
    boolean talking = words.stream().anyMatch(TALKING::contains);
    return behind && !talking ? PAST : FUTURE;
  }
}
