package dev.askgateway.query;

import dev.askgateway.query.LexicalQuery.Phrase;
import dev.askgateway.query.LexicalQuery.Term;
import java.util.ArrayList;
import java.util.List;

/** Terms of which one is enough, made into one term: two cities asked for are not half found by one. */
final class Alternatives {
  private Alternatives() {}

  /** @param groups folded words that stand for each other */
  static List<Term> joined(List<Term> terms, List<List<String>> groups) {
    List<Term> joined = new ArrayList<>(terms);
    for (List<String> words : groups) {
      List<Term> group = joined.stream()
          .filter(term -> words.stream().anyMatch(word -> names(term, word)))
          .toList();
      if (group.size() > 1) {
        joined.set(joined.indexOf(group.get(0)), one(group));
        joined.removeAll(group);
      }
    }
    return joined;
  }

  private static boolean names(Term term, String word) {
    return term.spellings().stream()
        .flatMap(spelling -> spelling.words().stream())
        .anyMatch(part -> FoldedText.of(part).equals(word));
  }

  private static Term one(List<Term> group) {
    List<Phrase> spellings = new ArrayList<>();
    group.forEach(term -> spellings.addAll(term.spellings()));
    return new Term(spellings);
  }
}
