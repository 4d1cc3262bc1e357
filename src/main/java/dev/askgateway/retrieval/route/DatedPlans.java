package dev.askgateway.retrieval.route;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.QueryPlan.TimeRange;
import dev.askgateway.query.LexicalQuery;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Messages that name the asked day, whenever they were written: those that sound like plans first, the
 * newest first of each, since a change comes after what it changes. One window of each chat before a
 * second of any, so that all who may be meant are kept (spec E9). The floor: the day is named. Where room
 * is left, what words and meaning find over their own floors is added.
 */
final class DatedPlans implements RouteSearch {
  /** How long before a day people speak of it. */
  private static final Duration AHEAD = Duration.ofDays(60);

  /** How far plans reach that have no day in the question. */
  private static final Duration TO_COME = Duration.ofDays(180);

  /** Read before words decide. */
  private static final int READ = 100;

  private static final Wanted NAMING_DAYS = new Wanted(PlanWords.MAY_NAME_A_DAY, null, "^$", false);

  private final ContextRepository context;
  private final Retriever retriever;
  private final TextWork texts;
  private final RetrievalConfig config;

  /**
   * A message that names the asked day.
   *
   * @param isPlan whether it sounds like something people do together
   */
  private record Naming(UUID id, boolean isPlan) {}

  DatedPlans(
      ContextRepository context, Retriever retriever, TextWork texts, RetrievalConfig config) {
    this.context = context;
    this.retriever = retriever;
    this.texts = texts;
    this.config = config;
  }

  @Override
  public Future<Retrieved> find(Ask ask) {
    TimeRange asked = ask.plan().timeRange();
    TimeRange range = asked != null ? asked : toCome(ask);
    SearchFilters filters = ask.filters();
    SearchFilters before = filters.during(range.start().minus(AHEAD), range.end());
    return plans(ask, before, range).compose(found -> {
      Search search = ask.search(LexicalQuery.of(ask.question(), ask.plan()), filters, 1);
      return retriever
          .pack(search, found)
          .compose(pack ->
              isFull(pack) || asked == null ? Future.succeededFuture(pack) : filled(search, found));
    });
  }

  private static TimeRange toCome(Ask ask) {
    Instant now = ask.at().toInstant();
    return new TimeRange(now, now.plus(TO_COME), ask.at().getZone());
  }

  /** With whom the question asks for, where such a plan is there; else with anybody. */
  private Future<List<UUID>> plans(Ask ask, SearchFilters before, TimeRange range) {
    Future<List<Naming>> all = named(ask, before, range);
    SearchFilters.Senders people = ask.names().people();
    if (people == null) {
      return all.map(this::ordered);
    }
    List<UUID> talks = ask.names().talks().stream().filter(before::admits).toList();
    Future<List<Naming>> theirs = named(ask, before.by(people), range);
    Future<List<Naming>> talked = talks.isEmpty()
        ? Future.succeededFuture(List.of())
        : named(ask, before.within(talks), range);
    return Future.all(all, theirs, talked).map(any -> {
      List<Naming> with =
          Stream.concat(talked.result().stream(), theirs.result().stream()).toList();
      return ordered(with.isEmpty() ? all.result() : with);
    });
  }

  private Future<List<Naming>> named(Ask ask, SearchFilters filters, TimeRange range) {
    return context
        .matching(ask.user(), filters, NAMING_DAYS, READ)
        .compose(all -> texts.of(Told.chars(all), () -> all.stream()
            .filter(told -> PlanWords.names(told.text(), told.at(), range))
            .map(told -> new Naming(told.id(), PlanWords.isPlan(told.text())))
            .toList()));
  }

  private List<UUID> ordered(List<Naming> named) {
    return Stream.concat(
            named.stream().filter(Naming::isPlan),
            named.stream().filter(message -> !message.isPlan()))
        .map(Naming::id)
        .distinct()
        .limit(config.anchors())
        .toList();
  }

  private static boolean isFull(Retrieved found) {
    return found.pack().windows().size() == EvidencePack.MAX_WINDOWS;
  }

  private Future<Retrieved> filled(Search search, List<UUID> plans) {
    Future<Retrieved> ranked = retriever.ranked(search);
    return (plans.isEmpty() ? ranked : ranked.recover(away -> retriever.pack(search, List.of())))
        .compose(more -> plans.isEmpty()
            ? Future.succeededFuture(more)
            : retriever.pack(search, together(plans, more)));
  }

  private static List<UUID> together(List<UUID> plans, Retrieved more) {
    Set<UUID> ids = new LinkedHashSet<>(plans);
    more.pack().windows().stream().map(EvidenceWindow::anchorId).forEach(ids::add);
    return List.copyOf(ids);
  }
}
