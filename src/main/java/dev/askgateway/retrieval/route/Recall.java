package dev.askgateway.retrieval.route;

import dev.askgateway.query.QuestionShape;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.retrieval.Retriever;
import dev.askgateway.retrieval.Search;
import io.vertx.core.Future;

/**
 * By words and meaning, inside what the question limits itself to. Where a day may be that of an event and
 * the messages of that day do not answer, all others are asked, once. Floors are the ranking's.
 */
final class Recall implements RouteSearch {
  private final Retriever retriever;
  private final TextWork texts;
  private final int fromOneChat;

  /** @param fromOneChat 1 where every chat may be an answer of its own (spec E9) */
  Recall(Retriever retriever, TextWork texts, int fromOneChat) {
    this.retriever = retriever;
    this.texts = texts;
    this.fromOneChat = fromOneChat;
  }

  @Override
  public Future<Retrieved> find(Ask ask) {
    return once(ask, ask.search(fromOneChat).lifting(ask.likely()))
        .compose(found -> found.pack().isEmpty()
                && ask.plan().filtersMessages()
                && QuestionShape.leavesDayOpen(ask.question())
            ? texts
                .of(ask.question().length(), ask::anytime)
                .compose(any -> once(any, any.search(fromOneChat)))
            : Future.succeededFuture(found));
  }

  private Future<Retrieved> once(Ask ask, Search search) {
    boolean catchUp = QuestionShape.isCatchUp(ask.question());
    if (search.words().isEmpty() && (catchUp || ask.isFiltered())) {
      return retriever.newest(search);
    }
    return retriever
        .ranked(search)
        .compose(found -> found.pack().isEmpty() && catchUp && ask.scope().isStrict()
            ? retriever.newest(search)
            : Future.succeededFuture(found));
  }
}
