package dev.askgateway.retrieval.route;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.Search;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.ContextRepository.Placed;
import dev.askgateway.store.SearchFilters;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * How people get along: the newest messages of the chats in question, about half of the pack, and older
 * ones that are near the question by meaning, over the ranking's floors. Nothing was said: no evidence.
 */
final class Tone implements RouteSearch {
  /** Windows of the newest messages. */
  private static final int RECENT = 2;

  private final ContextRepository context;
  private final Retriever retriever;
  private final RetrievalConfig config;

  Tone(ContextRepository context, Retriever retriever, RetrievalConfig config) {
    this.context = context;
    this.retriever = retriever;
    this.config = config;
  }

  /** The chats in question: those named, else the one-to-one chats with the people named. */
  static List<UUID> chats(Ask ask) {
    return ask.chats().isEmpty() ? ask.names().talks() : ask.chats();
  }

  @Override
  public Future<Retrieved> find(Ask ask) {
    SearchFilters filters = ask.filtersOfAnybody().within(chats(ask));
    int chats = Math.min(RECENT, chats(ask).size());
    return context
        .newestByChat(ask.user(), filters, chats, RECENT * config.windowMessages() / chats)
        .compose(recent -> {
          Search search = ask.search(LexicalQuery.none(), filters, EvidencePack.MAX_WINDOWS);
          List<UUID> ids = recent.stream().map(Placed::id).toList();
          return older(search, recent)
              .compose(older -> retriever.pack(search, together(ids, older)));
        });
  }

  /** Without the vector leg there is nothing older to choose by, and the newest still answer. */
  private Future<List<UUID>> older(Search search, List<Placed> recent) {
    Instant first = recent.stream().map(Placed::at).min(Instant::compareTo).orElse(null);
    return first == null
        ? Future.succeededFuture(List.of())
        : retriever
            .ranked(search.with(search.filters().during(null, first)))
            .map(found ->
                found.pack().windows().stream().map(EvidenceWindow::anchorId).toList())
            .otherwise(List.of());
  }

  private static List<UUID> together(List<UUID> recent, List<UUID> older) {
    return Stream.concat(recent.stream(), older.stream()).distinct().toList();
  }
}
