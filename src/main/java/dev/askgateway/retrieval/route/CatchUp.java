package dev.askgateway.retrieval.route;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.ContextRepository.Placed;
import dev.askgateway.store.SearchFilters;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/**
 * The newest messages of the one chat in question, or of the four chats that have the newest, one window
 * of each, preferred chats first. Nothing was said in the asked time: no evidence.
 */
final class CatchUp implements RouteSearch {
  private final ContextRepository context;
  private final Retriever retriever;
  private final RetrievalConfig config;

  CatchUp(ContextRepository context, Retriever retriever, RetrievalConfig config) {
    this.context = context;
    this.retriever = retriever;
    this.config = config;
  }

  @Override
  public Future<Retrieved> find(Ask ask) {
    List<UUID> chats = chats(ask);
    SearchFilters filters = chats.isEmpty() ? ask.filters() : ask.filters().within(chats);
    if (chats.size() == 1) {
      return retriever.newest(ask.search(ask.words(), filters, EvidencePack.MAX_WINDOWS));
    }
    return context
        .newestByChat(ask.user(), filters, EvidencePack.MAX_WINDOWS, config.windowMessages())
        .compose(newest -> retriever.pack(
            ask.search(ask.words(), filters, 1), newest.stream().map(Placed::id).toList()));
  }

  private static List<UUID> chats(Ask ask) {
    return ask.chats().isEmpty() ? ask.names().talks() : ask.chats();
  }
}
