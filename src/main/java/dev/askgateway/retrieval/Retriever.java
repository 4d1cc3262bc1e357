package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.trace.Operation;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.provider.Embedder;
import dev.askgateway.query.LexicalQuery;
import dev.askgateway.query.QuestionShape;
import dev.askgateway.store.SearchFilters;
import dev.askgateway.store.SearchHit;
import dev.askgateway.store.SearchRepository;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import dev.askgateway.store.SearchText;
import dev.askgateway.store.SearchVector;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Finds the evidence of a question: both legs at once, fused by rank, cut by floors, spread over
 * chats, widened to windows under fixed labels.
 */
public final class Retriever {
  private static final String VECTOR = "vector";
  private static final String LEXICAL = "lexical";

  /** Messages that a stretch of time without a topic is answered from, at most. */
  private static final int NEWEST = 48;

  /** How much less the last of a list without scores is worth than its first. */
  private static final double LEAST_SHARE = 0.5;

  private final SearchRepository messages;
  private final Supplier<Optional<Embedder>> searched;
  private final RetrievalConfig config;
  private final WindowBuilder windows;

  /**
   * @param searched the embedder of the version of the index that is in service, asked once for each
   *     search: one search never mixes two; empty: there is no vector leg
   */
  public Retriever(
      SearchRepository messages, Supplier<Optional<Embedder>> searched, RetrievalConfig config) {
    this.messages = messages;
    this.searched = searched;
    this.config = config;
    this.windows = new WindowBuilder(config);
  }

  /** A stretch of time without a topic: its newest messages, each of them found by its time. */
  public Future<Retrieved> newest(Search search) {
    boolean own = QuestionShape.asksForOwnWords(search.question());
    return assembled(search, () -> messages
        .recent(search.user(), search.filters(), own, NEWEST)
        .map(hits -> hits.stream().map(SearchHit.Recent::messageId).toList())
        .compose(ids -> around(search, ids).map(found -> {
          Worth alike = new Worth(worth(ids, 0));
          return unranked(search, alike.bestFirst(windows.merge(found)), alike, ids);
        })));
  }

  /** The windows of messages that were found without a ranking, the best first. */
  public Future<Retrieved> pack(Search search, List<UUID> ids) {
    return assembled(search, () -> around(search, ids)
        .map(found ->
            unranked(search, windows.merge(found), new Worth(worth(ids, LEAST_SHARE)), ids)));
  }

  private static Future<Retrieved> assembled(Search search, Supplier<Future<Retrieved>> work) {
    return search.span().around(SpanName.EVIDENCE_ASSEMBLE, step -> work.get()
        .onSuccess(found -> step.set(SpanKey.WINDOWS, found.pack().windows().size())));
  }

  private Retrieved unranked(
      Search search, List<Neighbourhood> ordered, Worth worth, List<UUID> ids) {
    EvidencePack pack = pack(search, ordered, worth, Set.copyOf(ids), List.of());
    return new Retrieved(pack, pack.windows(), List.of(), 0);
  }

  /** From 1 for the first down by that share for the last; 0: found by their time, none is better. */
  private static Map<UUID, Double> worth(List<UUID> ids, double share) {
    Map<UUID, Double> scores = new LinkedHashMap<>();
    ids.forEach(id -> scores.putIfAbsent(id, 1 - share * scores.size() / ids.size()));
    return scores;
  }

  /** Messages that hold a word of a search in what was written, the best first. */
  public Future<List<UUID>> mentions(Search search, int limit) {
    SearchText text = SearchTexts.of(search.words());
    return messages.lexical(search.user(), text, search.filters(), limit).map(hits -> hits.stream()
        .filter(hit -> hit.matched() > 0 && hit.matchedInText() > 0)
        .map(SearchHit.Lexical::messageId)
        .toList());
  }

  /**
   * The windows of what both legs find, ranked.
   *
   * @return an empty pack when nothing is over the floor; a failure only when no leg could answer
   */
  public Future<Retrieved> ranked(Search search) {
    LexicalQuery words = search.words();
    Optional<Embedder> embedder = searched.get();
    String profile = embedder.map(Embedder::profileId).orElse("");
    Future<SearchVector> question =
        embedder.map(with -> asked(search, with)).orElseGet(Retriever::noEmbedder);
    Future<List<List<SearchHit.Lexical>>> text = search
        .span()
        .around(SpanName.RETRIEVAL_LEXICAL, step -> counted(step, limited(lexical(search, words))));
    Future<List<List<SearchHit.Vector>>> meaning =
        limited(question.compose(vector -> vector(search, vector)));
    return Future.join(text, meaning).transform(joined -> {
      // A leg without words to look for finds nothing; that is no answer where the other one
      // failed.
      if (meaning.failed() && (text.failed() || words.isEmpty())) {
        return Future.failedFuture(unavailable(meaning.cause()));
      }
      List<String> degraded = new ArrayList<>();
      if (meaning.failed()) {
        degraded.add(VECTOR);
      }
      if (text.failed()) {
        degraded.add(LEXICAL);
      }
      List<List<SearchHit.Lexical>> lexical = text.failed() ? List.of() : text.result();
      List<List<SearchHit.Vector>> vector = meaning.failed() ? List.of() : meaning.result();
      Legs legs = new Legs(at(lexical, 0), at(vector, 0), at(lexical, 1), at(vector, 1));
      return assembled(search, () -> messages
          .compare(search.user(), legs.ids(), meaning.failed() ? null : question.result())
          .compose(compared -> found(search, profile, legs, compared, degraded)));
    });
  }

  private Future<Retrieved> found(
      Search search,
      String profile,
      Legs legs,
      List<SearchHit.Compared> compared,
      List<String> degraded) {
    Candidates candidates = new Candidates(legs, compared, search.question(), config);
    Map<UUID, Double> scores = new LinkedHashMap<>();
    Floors floors = new Floors(
        config, profile, degraded.contains(VECTOR), candidates.ranked().size());
    Set<UUID> byWords = legs.overTermFloor(config.termShare());
    List<Retrieved.Ranked> passed = candidates.ranked().stream()
        .filter(hit -> floors.pass(hit, byWords))
        .limit(config.anchors())
        .toList();
    passed.forEach(hit -> scores.put(hit.messageId(), hit.score()));
    List<UUID> ids = List.copyOf(scores.keySet());
    double evidence = candidates.evidence();
    return around(search, ids)
        .map(around -> {
          Worth worth = new Worth(scores);
          List<Neighbourhood> best = windows.few(worth.bestFirst(windows.merge(around)));
          return pack(search, best, worth, scores.keySet(), degraded);
        })
        .map(pack -> new Retrieved(
            floors.isEnough(evidence, passed) ? pack : new EvidencePack(List.of(), degraded),
            pack.windows(),
            candidates.ranked(),
            evidence));
  }

  private Future<SearchVector> asked(Search search, Embedder embedder) {
    return search
        .span()
        .around(SpanName.RETRIEVAL_EMBEDDING, step -> {
          step.set(SpanKey.OPERATION, Operation.EMBEDDINGS)
              .named(SpanKey.PROFILE, embedder.profileId());
          return limited(embedder.query(search.question()));
        })
        .map(values -> SearchVector.of(embedder.profileId(), embedder.version(), values));
  }

  private static Future<SearchVector> noEmbedder() {
    return Future.failedFuture(new GatewayError(
        GatewayError.Code.NO_PROVIDER, "The model of the index is not configured here."));
  }

  private <T> Future<T> limited(Future<T> leg) {
    return leg.timeout(config.legTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  private static <T> List<T> at(List<List<T>> lists, int index) {
    return index < lists.size() ? lists.get(index) : List.of();
  }

  private Future<List<List<SearchHit.Lexical>>> lexical(Search search, LexicalQuery words) {
    if (words.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    SearchText text = SearchTexts.of(words);
    return both(search, filters -> messages.lexical(search.user(), text, filters, config.depth()));
  }

  private Future<List<List<SearchHit.Vector>>> vector(Search search, SearchVector vector) {
    return search
        .span()
        .around(
            SpanName.RETRIEVAL_VECTOR,
            step -> counted(
                step,
                limited(both(
                    search,
                    filters -> messages.vector(search.user(), vector, filters, config.depth())))));
  }

  private static <T> Future<List<List<T>>> counted(Span step, Future<List<List<T>>> leg) {
    return leg.onSuccess(
        lists -> step.set(SpanKey.HITS, lists.stream().mapToInt(List::size).sum()));
  }

  /** Over everything, and once more where hits are lifted, if they are anywhere. */
  private static <T> Future<List<T>> both(
      Search search, java.util.function.Function<SearchFilters, Future<T>> leg) {
    Future<T> everywhere = leg.apply(search.filters());
    SearchFilters inside = search.lifted();
    if (inside == null) {
      return everywhere.map(List::of);
    }
    Future<T> lifted = leg.apply(inside);
    return Future.all(everywhere, lifted)
        .map(both -> List.of(everywhere.result(), lifted.result()));
  }

  private Future<List<Neighbourhood>> around(Search search, List<UUID> anchors) {
    return messages.neighbourhoods(
        search.user(),
        anchors,
        search.filters(),
        config.windowBefore(),
        config.windowAfter(),
        config.windowChars());
  }

  /** The first of these windows that differ; worse hits are marked where they lie in a window. */
  private EvidencePack pack(
      Search search,
      List<Neighbourhood> ordered,
      Worth worth,
      Set<UUID> hits,
      List<String> degraded) {
    List<Neighbourhood> chosen =
        Diversity.pick(ordered, EvidencePack.MAX_WINDOWS, search.fromOneChat());
    List<EvidenceWindow> labelled = new ArrayList<>();
    for (Neighbourhood window : windows.fit(chosen, worth)) {
      labelled.add(labelled("S" + (labelled.size() + 1), window, search.preferred(), hits));
    }
    return new EvidencePack(labelled, degraded);
  }

  private static EvidenceWindow labelled(
      String label, Neighbourhood window, List<UUID> preferred, Set<UUID> hits) {
    Set<UUID> found = Neighbours.withAnswers(window.messages(), hits);
    return new EvidenceWindow(
        label,
        window.anchorId(),
        window.chatId(),
        window.chatName(),
        window.platform(),
        window.isGroup(),
        preferred.contains(window.chatId()),
        window.messages().stream().map(message -> marked(message, found)).toList());
  }

  private static EvidenceMessage marked(EvidenceMessage message, Set<UUID> hits) {
    return new EvidenceMessage(
        message.id(),
        message.platformMessageId(),
        message.senderName(),
        message.fromMe(),
        message.timestamp(),
        message.text(),
        hits.contains(message.id()),
        message.replyTo());
  }

  private static Throwable unavailable(Throwable cause) {
    return cause instanceof GatewayError
        ? cause
        : new GatewayError(
            GatewayError.Code.DEPENDENCY_UNAVAILABLE, "Search is not available.", cause);
  }
}
