package dev.askgateway.query;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The sentences of a question, and which of them can limit a search. Over folded text. */
final class Sentences {
  /** A short word before a full stop is taken for an abbreviation: "Dr.", "no.", "e.g.". */
  private static final Pattern ENDS = Pattern.compile("(?<=[!?]|[^ .]{4}\\.)[\"'*)]* ");

  /** So many and more tell something before they ask. */
  private static final int TELLING = 3;

  private Sentences() {}

  static List<String> of(String folded) {
    return List.of(ENDS.split(folded));
  }

  /**
   * What names the times and networks of messages. In a text that tells before it asks, "my business runs
   * on WhatsApp" and "it was a good week" limit nothing; "what did I tell you last week" does.
   */
  static String limiting(String folded) {
    List<String> all = of(folded);
    return all.size() < TELLING
        ? folded
        : all.stream().filter(QuestionShape::isAboutMessages).collect(Collectors.joining(" "));
  }
}
