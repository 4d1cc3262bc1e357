package dev.askgateway.retrieval;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.store.SearchFilters;
import java.util.List;
import java.util.UUID;

/**
 * One search: who asks, what for, and what it may draw on.
 *
 * @param words what the text leg looks for; empty: it finds nothing
 * @param filters what may be found, the scope's chats among them
 * @param fromOneChat windows of one chat before those of others come (spec E6, E9); no bound in strict
 *     scope
 * @param span of the request, under which each step is traced
 */
public record Search(
    UserId user,
    String question,
    QueryPlan plan,
    Scope scope,
    LexicalQuery words,
    SearchFilters filters,
    int fromOneChat,
    Span span) {
  /** Windows of one chat where nothing asks for more spread. */
  public static final int SPREAD = 2;

  public Search {
    if (fromOneChat < 1) {
      throw new IllegalArgumentException("a chat has at least one window");
    }
    fromOneChat = scope.isStrict() ? Integer.MAX_VALUE : fromOneChat;
  }

  /** The preferred chats that the filters leave. */
  List<UUID> preferred() {
    return scope.kind() == Scope.Kind.PREFERRED
        ? scope.chatIds().stream().filter(filters::admits).toList()
        : List.of();
  }

  /** The same search under other filters. */
  public Search with(SearchFilters others) {
    return new Search(user, question, plan, scope, words, others, fromOneChat, span);
  }
}
