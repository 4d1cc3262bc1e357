package dev.askgateway.retrieval.route;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.Search;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.ContextRepository.Contacted;
import dev.askgateway.store.ContextRepository.Placed;
import dev.askgateway.store.SearchFilters;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * People by how much is written with them, and by place. With a place: chats in which a message names it,
 * one-to-one chats in order first. Without: the first of the one-to-one chats that both sides write in.
 * Each window carries the numbers its place in the order comes from. The floor: a message names the place;
 * or both have written, on more than one day of the last 90.
 */
final class People implements RouteSearch {
  private static final int MENTIONS = 200;
  private static final int CHATS = 200;

  /** Newest messages shown of a chat that was chosen by numbers. */
  private static final int EACH = 3;

  private final ContextRepository context;
  private final Retriever retriever;

  People(ContextRepository context, Retriever retriever) {
    this.context = context;
    this.retriever = retriever;
  }

  @Override
  public Future<Retrieved> find(Ask ask) {
    return ask.plan().places().isEmpty() ? byNumbers(ask) : byPlace(ask);
  }

  private Future<Retrieved> byNumbers(Ask ask) {
    SearchFilters filters = ask.filters();
    return context.contacted(ask.user(), filters, ask.at().toInstant(), CHATS).compose(all -> {
      List<Contacted> best = all.stream()
          .filter(Closeness::isMutual)
          .sorted(Closeness.order(kind(ask), ask.at().toInstant()))
          .limit(limit(ask))
          .toList();
      if (best.isEmpty()) {
        return retriever.pack(ask.search(1), List.of());
      }
      SearchFilters inside = filters.within(best.stream().map(Contacted::chatId).toList());
      return context
          .newestByChat(ask.user(), inside, best.size(), EACH)
          .compose(newest -> noted(ask, inside, inOrder(best, newest), best));
    });
  }

  private Future<Retrieved> byPlace(Ask ask) {
    SearchFilters filters = ask.filters();
    String places = ask.plan().places().stream()
        .map(QueryPlan.Place::wording)
        .collect(Collectors.joining(", "));
    Search search = ask.search(LexicalQuery.of(places, QueryPlan.plain()), filters, 1);
    return retriever
        .mentions(search, MENTIONS)
        .compose(ids -> context.placed(ask.user(), ids))
        .compose(mentions -> {
          List<UUID> chats = mentions.stream().map(Placed::chatId).distinct().toList();
          return chats.isEmpty()
              ? retriever.pack(search, List.of())
              : context
                  .contacted(ask.user(), filters.within(chats), ask.at().toInstant(), CHATS)
                  .compose(talks -> {
                    List<Contacted> order = talks.stream()
                        .sorted(Closeness.order(kind(ask), ask.at().toInstant()))
                        .toList();
                    return noted(ask, filters, inOrder(order, mentions), order);
                  });
        });
  }

  private static String kind(Ask ask) {
    QueryPlan.Ranking ranking = ask.plan().ranking();
    return ranking == null ? "closeness" : ranking.kind();
  }

  private static int limit(Ask ask) {
    QueryPlan.Ranking ranking = ask.plan().ranking();
    return Math.min(
        EvidencePack.MAX_WINDOWS, ranking == null ? EvidencePack.MAX_WINDOWS : ranking.limit());
  }

  /** The messages by their chats' place in the order; those of other chats come last, as they are. */
  private static List<UUID> inOrder(List<Contacted> order, List<Placed> messages) {
    Map<UUID, List<UUID>> byChat = new LinkedHashMap<>();
    order.forEach(chat -> byChat.put(chat.chatId(), new ArrayList<>()));
    messages.forEach(message ->
        byChat.computeIfAbsent(message.chatId(), chat -> new ArrayList<>()).add(message.id()));
    return byChat.values().stream()
        .flatMap(ids -> ids.stream().limit(EACH))
        .limit((long) EACH * EvidencePack.MAX_WINDOWS)
        .toList();
  }

  private Future<Retrieved> noted(
      Ask ask, SearchFilters filters, List<UUID> messages, List<Contacted> order) {
    Map<UUID, String> notes = order.stream()
        .collect(Collectors.toMap(
            Contacted::chatId, chat -> Closeness.note(chat, ask.at().getZone())));
    return retriever.pack(ask.search(ask.words(), filters, 1), messages).map(found -> {
      List<EvidenceWindow> windows = found.pack().windows().stream()
          .map(window -> window.noted(notes.get(window.chatId())))
          .toList();
      return new Retrieved(
          new EvidencePack(windows, found.pack().degraded()),
          windows,
          found.ranking(),
          found.evidence());
    });
  }
}
