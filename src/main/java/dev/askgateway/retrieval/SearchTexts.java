package dev.askgateway.retrieval;

import dev.askgateway.query.LexicalQuery;
import dev.askgateway.store.SearchText;
import java.util.List;

/** Hands the words of a question over to the store, which must not know how they were found. */
final class SearchTexts {
  private SearchTexts() {}

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
