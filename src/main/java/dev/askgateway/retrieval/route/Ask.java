package dev.askgateway.retrieval.route;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.query.FoldedText;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.retrieval.Search;
import dev.askgateway.store.SearchFilters;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A question with all that is known before it is searched.
 *
 * @param at the moment of the request, in the account's zone
 * @param groups whether groups without a switch of their own count
 * @param words the content words that no filter answers
 * @param span of the request
 */
record Ask(
    UserId user,
    String question,
    QueryPlan plan,
    ZonedDateTime at,
    Scope scope,
    KnownNames names,
    boolean groups,
    LexicalQuery words,
    Span span) {
  private static final Set<String> CHAT_NOUNS = Set.of(
      "group", "chat", "channel", "thread", "server", "convo", "dm", "dms", "grupo", "canal",
      "hilo");
  private static final Set<String> PLATFORM_WORDS = Set.copyOf(FoldedText.words("""
      whatsapp whats app wsp wpp wassap telegram imessage imessages instagram insta ig slack signal
      discord messenger facebook fb google messages sms gchat voice linkedin linked twitter x bluesky
      zulip irc
      """));

  /** Reads the words of the question, which takes long for a long one. */
  Ask(
      UserId user,
      String question,
      QueryPlan plan,
      ZonedDateTime at,
      Scope scope,
      KnownNames names,
      boolean groups,
      Span span) {
    this(
        user,
        question,
        plan,
        at,
        scope,
        names,
        groups,
        LexicalQuery.of(question, plan, answered(plan, names)),
        span);
  }

  /** The chats that may be drawn on, empty for all. Strict scope admits nothing else (spec E11). */
  List<UUID> chats() {
    return scope.isStrict() ? scope.chatIds() : names.chats();
  }

  /** What the question limits itself to, and its scope. */
  SearchFilters filters() {
    SearchFilters open = filtersOfAnybody();
    return names.speakers() == null ? open : open.by(names.speakers());
  }

  /** The same, whoever wrote. */
  SearchFilters filtersOfAnybody() {
    TimeRange range = plan.filtersMessages() ? plan.timeRange() : null;
    return new SearchFilters(
        chats(),
        scope.chatIds(),
        groups,
        range == null ? null : range.start(),
        range == null ? null : range.end(),
        plan.platforms(),
        null);
  }

  /** Whether the question names a chat, a platform, a sender or a time of messages. */
  boolean isFiltered() {
    return !names.chats().isEmpty()
        || !plan.platforms().isEmpty()
        || names.speakers() != null
        || plan.filtersMessages();
  }

  /**
   * Whether anything is asked for beside what filters and a route answer.
   *
   * @param shape the words of the route
   */
  boolean hasTopic(Set<String> shape) {
    Set<String> answered = answered(plan, names);
    answered.addAll(shape);
    if (!names.talks().isEmpty()) {
      answered.addAll(names.peopleWords());
    }
    return !LexicalQuery.of(question, plan, answered).isEmpty();
  }

  private static Set<String> answered(QueryPlan plan, KnownNames names) {
    Set<String> answered = new HashSet<>(names.chatWords());
    answered.addAll(names.speakerWords());
    if (!names.chats().isEmpty()) {
      answered.addAll(CHAT_NOUNS);
    }
    if (!plan.platforms().isEmpty()) {
      answered.addAll(PLATFORM_WORDS);
    }
    return answered;
  }

  Search search(int fromOneChat) {
    return search(words(), filters(), fromOneChat);
  }

  Search search(LexicalQuery words, SearchFilters filters, int fromOneChat) {
    return new Search(user, question, plan, scope, words, filters, fromOneChat, span);
  }

  /**
   * The time that the question names, where it is over and limits nothing: what happened then was
   * probably told then, and maybe later.
   */
  @Nullable
  TimeRange likely() {
    TimeRange range = plan.timeRange();
    boolean over = range != null && !range.end().isAfter(at.toInstant());
    return over && !plan.filtersMessages() ? range : null;
  }

  /** The same question, whose time no longer bounds the messages. */
  Ask anytime() {
    return new Ask(user, question, plan.withoutMessageFilter(), at, scope, names, groups, span);
  }
}
