package dev.askgateway.retrieval;

import dev.askgateway.query.QuestionShape;
import dev.askgateway.store.SearchHit;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Whose messages a question asks for by name: what Ana did is told by Ana more often than by others. */
final class Speakers {
  private static final Pattern WORD_ENDS = Pattern.compile("[^\\p{L}\\p{N}\\p{M}]+");

  private final Set<String> words;
  private final boolean own;

  Speakers(String question) {
    words = words(question);
    own = QuestionShape.asksForOwnWords(question);
  }

  /** Whether the question names who wrote this message; "what did I say" names the person. */
  boolean name(SearchHit.Compared message) {
    return message.fromMe() ? own : words(message.sender()).stream().anyMatch(words::contains);
  }

  /** Single letters name nobody: the end of "Ana's" is none of "Grad S". */
  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>(List.of(WORD_ENDS.split(text.toLowerCase(Locale.ROOT))));
    words.removeIf(word -> word.length() < 2);
    return words;
  }
}
