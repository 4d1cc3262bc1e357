package dev.askgateway.evals.scale;

import dev.askgateway.query.LexicalQuery;
import dev.askgateway.store.SearchText;
import java.util.List;

/** The words of a question as the store takes them. */
final class SearchWords {
  private SearchWords() {}

  static SearchText of(LexicalQuery query) {
    return new SearchText(
        query.terms().stream()
            .map(term -> new SearchText.Term(phrases(term.spellings())))
            .toList(),
        phrases(query.phrases()));
  }

  private static List<SearchText.Phrase> phrases(List<LexicalQuery.Phrase> phrases) {
    return phrases.stream()
        .map(phrase -> new SearchText.Phrase(phrase.words(), phrase.prefix()))
        .toList();
  }
}
