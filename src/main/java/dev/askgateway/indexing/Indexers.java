package dev.askgateway.indexing;

import dev.askgateway.core.UserId;
import dev.askgateway.indexing.VersionWatch.Kept;
import dev.askgateway.store.Database;
import dev.askgateway.store.EmbeddingVersion;
import dev.askgateway.store.IndexRepository;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link Indexer} for each version of the index that is kept up to date and that this node has the
 * model of. They know nothing of each other: a model that fails holds up its own version only.
 *
 * <p>Its methods may be called from any thread; its own state lives on one event loop.
 */
public final class Indexers {
  private static final Logger LOG = LoggerFactory.getLogger(Indexers.class);

  private record Lane(EmbeddingVersion version, Indexer indexer) {}

  private final Vertx vertx;
  private final Context loop;
  private final String node;
  private final Database database;
  private final VersionWatch watch;
  private final IndexingConfig config;
  private final IndexingEvents events;
  private final Map<Integer, Lane> lanes = new HashMap<>();
  private final List<Future<Void>> ending = new ArrayList<>();
  private boolean stopped;

  public Indexers(
      Vertx vertx,
      String node,
      Database database,
      VersionWatch watch,
      IndexingConfig config,
      IndexingEvents events) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.node = node;
    this.database = database;
    this.watch = watch;
    this.config = config;
    this.events = events;
  }

  /** Succeeds once the version in service is known; then works on. */
  public Future<Void> start() {
    return watch.start(kept -> loop.runOnContext(now -> keep(kept)));
  }

  /** Says that this person's messages wait for vectors, so that nobody has to find out by polling. */
  public void wake(UserId user) {
    loop.runOnContext(now -> lanes.values().forEach(lane -> lane.indexer.wake(user)));
  }

  /**
   * Ends after the batches that run, and gives back whom it had. Which version is in service is still
   * known to who searches.
   */
  public Future<Void> giveBack() {
    Promise<Void> done = Promise.promise();
    loop.runOnContext(now -> {
      stopped = true;
      lanes.values().forEach(lane -> end(lane.indexer));
      lanes.clear();
      Future.join(ending).<Void>mapEmpty().onComplete(done);
    });
    return done.future();
  }

  /** The same, and nobody searches here any more. */
  public Future<Void> stop() {
    return giveBack().eventually(watch::stop);
  }

  private void keep(List<Kept> kept) {
    lanes.values().removeIf(lane -> {
      boolean gone = kept.stream().noneMatch(one -> one.version().isSameIndex(lane.version));
      if (gone) {
        end(lane.indexer);
      }
      return gone;
    });
    for (Kept one : kept) {
      if (!stopped && !lanes.containsKey(one.version().id())) {
        lanes.put(one.version().id(), new Lane(one.version(), begun(one)));
      }
    }
  }

  private Indexer begun(Kept one) {
    Indexer indexer = new Indexer(
        vertx, node, new IndexRepository(database, one.version()), one.embedder(), config, events);
    indexer
        .start()
        .onFailure(failure -> LOG.warn("An indexer did not start: code={}", Faults.code(failure)));
    return indexer;
  }

  private void end(Indexer indexer) {
    ending.removeIf(Future::isComplete);
    ending.add(indexer.stop());
  }
}
