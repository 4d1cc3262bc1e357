package dev.askgateway.retrieval;

import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.Embedder;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.retrieval.route.ContextRouter;
import dev.askgateway.retrieval.route.Routed;
import dev.askgateway.store.ContextRepository;
import dev.askgateway.store.Database;
import dev.askgateway.store.NameRepository;
import dev.askgateway.store.SearchFixture;
import dev.askgateway.store.SearchRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A database of messages with vectors of their words, and the product's way to search it. */
public final class RetrievalFixture implements AutoCloseable {
  /** Small windows, and floors that fit {@link BagOfWords}: half of the words. */
  public static final RetrievalConfig CONFIG = new RetrievalConfig(
      20,
      60,
      0.5,
      0.5,
      0.5,
      0.6,
      Map.of(),
      Map.of(),
      2,
      2,
      12,
      2400,
      12,
      20_000,
      true,
      Duration.ofSeconds(10));

  public final Vertx vertx;
  public final SearchFixture data;

  private RetrievalFixture(Vertx vertx, SearchFixture data) {
    this.vertx = vertx;
    this.data = data;
  }

  /** On a database of its own. */
  public static RetrievalFixture start() throws Exception {
    Vertx vertx = Vertx.vertx();
    return new RetrievalFixture(vertx, SearchFixture.create(vertx));
  }

  /** The same but for groups and the patience with the legs. */
  public static RetrievalConfig like(RetrievalConfig usual, boolean groups, Duration legTimeout) {
    return new RetrievalConfig(
        usual.depth(),
        usual.rrfK(),
        usual.preferredWeight(),
        usual.speakerLift(),
        usual.termShare(),
        usual.cosineFloor(),
        usual.cosineFloors(),
        usual.evidenceFloors(),
        usual.windowBefore(),
        usual.windowAfter(),
        usual.windowMessages(),
        usual.windowChars(),
        usual.anchors(),
        usual.exactBelow(),
        groups,
        legTimeout);
  }

  /** A message with its vector, of the person where the sender is "You". */
  public UUID say(UserId user, UUID chat, Instant at, String sender, String text) {
    UUID id = sender.equals("You")
        ? data.own(user, chat, at, text)
        : data.message(user, chat, at, sender, text);
    data.vector(user, id, "test", 1, BagOfWords.of(text));
    return id;
  }

  /** The product's router over any database. */
  public static ContextRouter router(
      Vertx vertx,
      Database database,
      SearchRepository messages,
      Embedder embedder,
      RetrievalConfig config) {
    return new ContextRouter(
        vertx,
        new NameRepository(database),
        new ContextRepository(database),
        new Retriever(messages, () -> Optional.of(embedder), config),
        config);
  }

  /** The router over this database, which compares vectors exactly. */
  public ContextRouter router(Embedder embedder, RetrievalConfig config) {
    return router(vertx, data.database, data.repository(config.exactBelow()), embedder, config);
  }

  /** Compiles a question and routes it. */
  public static Future<Routed> ask(
      ContextRouter router, UserId user, String question, ZonedDateTime at, Scope scope) {
    return router.retrieve(
        user,
        question,
        new QueryCompiler().compile(question, at.toInstant(), at.getZone()),
        at,
        scope,
        Span.NONE);
  }

  @Override
  public void close() throws Exception {
    data.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }
}
