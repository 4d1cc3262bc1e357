package dev.askgateway.retrieval.route;

import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.Search;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.ContextRepository.Told;
import dev.askgateway.store.ContextRepository.Wanted;
import dev.askgateway.store.SearchFilters;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Promises, requests and questions without an answer, found in the messages themselves, newest first. The
 * floor is the table of words: a message that promises and asks nothing is never in it. Looks back 90
 * days unless the question names a time; what a later message says is done is over.
 */
final class OpenLoops implements RouteSearch {
  private static final Duration BACK = Duration.ofDays(90);
  private static final Wanted MY_PROMISES =
      new Wanted(LoopWords.MAY_PROMISE, true, LoopWords.DONE, false);
  private static final Wanted THEIR_PROMISES =
      new Wanted(LoopWords.MAY_PROMISE, false, LoopWords.DONE, false);
  private static final Wanted REQUESTS =
      new Wanted(LoopWords.MAY_REQUEST, false, LoopWords.DONE, true);

  /** Read for each kind before words decide. */
  private static final int READ = 200;

  private final ContextRepository context;
  private final Retriever retriever;
  private final TextWork texts;
  private final RetrievalConfig config;

  OpenLoops(
      ContextRepository context, Retriever retriever, TextWork texts, RetrievalConfig config) {
    this.context = context;
    this.retriever = retriever;
    this.texts = texts;
    this.config = config;
  }

  @Override
  public Future<Retrieved> find(Ask ask) {
    SearchFilters filters = filters(ask);
    List<Future<List<Told>>> kinds = LoopShape.kinds(ask.question()).stream()
        .map(kind -> found(kind, ask, filters))
        .toList();
    return Future.all(kinds)
        .compose(all -> retriever.pack(
            ask.search(ask.words(), filters, Search.SPREAD), newest(all.<List<Told>>list())));
  }

  private static SearchFilters filters(Ask ask) {
    SearchFilters filters = ask.filtersOfAnybody();
    Instant start = ask.plan().filtersMessages() ? null : ask.at().toInstant().minus(BACK);
    List<UUID> talks = ask.names().talks().stream().filter(filters::admits).toList();
    SearchFilters recent = filters.during(start, null);
    return talks.isEmpty() ? recent : recent.within(talks);
  }

  private Future<List<Told>> found(LoopKind kind, Ask ask, SearchFilters filters) {
    return switch (kind) {
      case MINE -> matching(ask, filters, MY_PROMISES, told -> LoopWords.promises(told.text()));
      case THEIRS ->
        matching(ask, filters, THEIR_PROMISES, told -> LoopWords.promises(told.text()));
      case REQUEST ->
        matching(ask, filters, REQUESTS, told -> isToMe(told) && LoopWords.requests(told.text()));
      case QUESTION -> context.unanswered(ask.user(), filters, config.anchors());
    };
  }

  private Future<List<Told>> matching(
      Ask ask, SearchFilters filters, Wanted wanted, Predicate<Told> meant) {
    return context
        .matching(ask.user(), filters, wanted, READ)
        .compose(all -> texts.of(Told.chars(all), () -> all.stream()
            .filter(told -> !told.settled() && meant.test(told))
            .toList()));
  }

  /** In a group a request is the person's only where it replies to them. */
  private static boolean isToMe(Told told) {
    return !told.isGroup() || told.toMe();
  }

  private List<UUID> newest(List<List<Told>> kinds) {
    List<Told> all = new ArrayList<>();
    kinds.forEach(all::addAll);
    return all.stream()
        .sorted(Comparator.comparing(Told::at).reversed())
        .map(Told::id)
        .distinct()
        .limit(config.anchors())
        .toList();
  }
}
