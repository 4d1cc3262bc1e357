package dev.askgateway.store;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A text query: terms of which any may match, and phrases that add to the rank of a match. Its words
 * are quoted, so that none can act as an operator.
 *
 * @param terms things asked for, each in one or more spellings; not empty
 */
public record SearchText(List<Term> terms, List<Phrase> phrases) {

  /** Words that follow each other; with {@code prefix} the last may go on. */
  public record Phrase(List<String> words, boolean prefix) {
    public Phrase {
      words = List.copyOf(words);
      if (words.isEmpty()) {
        throw new IllegalArgumentException("a phrase has words");
      }
    }

    String tsquery() {
      return words.stream().map(Phrase::quoted).collect(Collectors.joining(" <-> ", "(", ""))
          + (prefix ? ":*)" : ")");
    }

    private static String quoted(String word) {
      return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'";
    }
  }

  /** One thing in its spellings. */
  public record Term(List<Phrase> spellings) {
    public Term {
      spellings = List.copyOf(spellings);
      if (spellings.isEmpty()) {
        throw new IllegalArgumentException("a term has a spelling");
      }
    }

    String tsquery() {
      return anyOf(spellings);
    }
  }

  public SearchText {
    terms = List.copyOf(terms);
    phrases = List.copyOf(phrases);
    if (terms.isEmpty()) {
      throw new IllegalArgumentException("a text query has terms: without any, do not search");
    }
  }

  /** Each term on its own, to count how many a message has. */
  String[] each() {
    return terms.stream().map(Term::tsquery).toArray(String[]::new);
  }

  String any() {
    return String.join(" | ", each());
  }

  String bonus() {
    return anyOf(phrases);
  }

  private static String anyOf(List<Phrase> phrases) {
    return phrases.stream()
        .map(Phrase::tsquery)
        .collect(Collectors.joining(" | ", "(", ")"))
        .replace("()", "");
  }
}
