package dev.askgateway.retrieval;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.store.SearchFilters;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One search: who asks, what for, and what it may draw on.
 *
 * @param words what the text leg looks for; empty: it finds nothing
 * @param filters what may be found, the scope's chats among them
 * @param fromOneChat windows of one chat before those of others come (spec E6, E9); no bound in strict
 *     scope
 * @param likely when the answer was probably written, which lifts messages of that time and limits to
 *     none; null where nothing tells
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
    @Nullable TimeRange likely,
    Span span) {
  /** Windows of one chat where nothing asks for more spread. */
  public static final int SPREAD = 2;

  public Search {
    if (fromOneChat < 1) {
      throw new IllegalArgumentException("a chat has at least one window");
    }
    fromOneChat = scope.isStrict() ? Integer.MAX_VALUE : fromOneChat;
  }

  /** A search that no time lifts messages of. */
  public Search(
      UserId user,
      String question,
      QueryPlan plan,
      Scope scope,
      LexicalQuery words,
      SearchFilters filters,
      int fromOneChat,
      Span span) {
    this(user, question, plan, scope, words, filters, fromOneChat, null, span);
  }

  /**
   * Where what is found is looked for once more, to be lifted: in the preferred chats, else in the likely
   * time. Null where the search is one.
   */
  @Nullable
  SearchFilters lifted() {
    List<UUID> chats = preferred();
    if (!chats.isEmpty()) {
      return filters.within(chats);
    }
    return likely == null ? null : filters.during(likely.start(), likely.end());
  }

  /** The preferred chats that the filters leave. */
  List<UUID> preferred() {
    return scope.kind() == Scope.Kind.PREFERRED
        ? scope.chatIds().stream().filter(filters::admits).toList()
        : List.of();
  }

  /** The same search under other filters. */
  public Search with(SearchFilters others) {
    return new Search(user, question, plan, scope, words, others, fromOneChat, likely, span);
  }

  /** The same search that lifts messages of a time. */
  public Search lifting(@Nullable TimeRange time) {
    return new Search(user, question, plan, scope, words, filters, fromOneChat, time, span);
  }
}
