package dev.askgateway.indexing;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.Embedder;
import dev.askgateway.store.IndexRepository;
import dev.askgateway.store.IndexRepository.Job;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's share of the queue of one version of the index. Claims persons whose messages wait for
 * vectors, works on some at a time and in turn, and keeps their leases. What it leaves unfinished,
 * also by dying, another node or its own next start takes up.
 *
 * <p>Its methods may be called from any thread; its own state lives on one event loop.
 */
public final class Indexer {
  private static final Logger LOG = LoggerFactory.getLogger(Indexer.class);

  private record Running(PersonRun run, Future<Void> ended) {}

  private final Vertx vertx;
  private final Context loop;
  private final PersonRun.Tools tools;
  private final Map<UserId, Running> running = new HashMap<>();
  private final List<Long> timers = new ArrayList<>();
  private boolean started;
  private boolean claiming;
  private boolean claimAgain;
  private Future<Void> claimed = Future.succeededFuture();

  /**
   * Makes an indexer that does nothing yet.
   *
   * @param node names this process among all that share the database
   */
  public Indexer(
      Vertx vertx,
      String node,
      IndexRepository repository,
      Embedder embedder,
      IndexingConfig config,
      IndexingEvents events) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    var backoff = new Backoff(config.retryBase(), config.retryCeiling(), new SplittableRandom());
    var calls = new EmbeddingCalls(vertx, loop, embedder, config);
    this.tools = new PersonRun.Tools(node, repository, calls, config, backoff, events);
  }

  /** Starts to look for work. */
  public Future<Void> start() {
    return onLoop(() -> {
      if (!started) {
        started = true;
        timers.add(vertx.setPeriodic(tools.config().pollInterval().toMillis(), tick -> poll()));
        timers.add(vertx.setPeriodic(tools.config().lease().toMillis() / 3, tick -> renew()));
        poll();
      }
      return Future.succeededFuture();
    });
  }

  /** Ends after the batches that run; what is left is given back, for other nodes to take at once. */
  public Future<Void> stop() {
    return onLoop(() -> {
      started = false;
      timers.forEach(vertx::cancelTimer);
      timers.clear();
      running.values().forEach(one -> one.run.stop());
      // A claim under way may still bring somebody, who is then given back at once.
      return claimed.compose(ok ->
          Future.join(running.values().stream().map(Running::ended).toList()).mapEmpty());
    });
  }

  /** Says that this person's messages wait for vectors, so that nobody has to find out by polling. */
  public void wake(UserId user) {
    loop.runOnContext(now -> {
      // Who is being worked on is not closed before the new messages are seen.
      if (!running.containsKey(user)) {
        claim();
      }
    });
  }

  private Future<Void> onLoop(java.util.function.Supplier<Future<Void>> work) {
    Promise<Void> done = Promise.promise();
    loop.runOnContext(now -> work.get().onComplete(done));
    return done.future();
  }

  private void poll() {
    claim();
    tools
        .repository()
        .backlog(IndexingEvents.BACKLOG_LIMIT)
        .onSuccess(tools.events()::backlog)
        .onFailure(failure -> LOG.debug("The index backlog is not known", failure));
  }

  /** One claim at a time; what is asked for meanwhile is one more after it. */
  private void claim() {
    int free = tools.config().persons() - running.size();
    if (!started || free <= 0) {
      return;
    }
    if (claiming) {
      claimAgain = true;
      return;
    }
    claiming = true;
    claimed = tools
        .repository()
        .claim(tools.node(), free, tools.config().lease())
        .onFailure(
            failure -> LOG.warn("The index queue cannot be read: code={}", Faults.code(failure)))
        .otherwise(List.of())
        .map(jobs -> {
          jobs.forEach(this::begin);
          claiming = false;
          if (claimAgain) {
            claimAgain = false;
            claim();
          }
          return null;
        });
  }

  private void begin(Job job) {
    // A lease that lapsed while its turn still runs here has just been taken anew.
    if (running.containsKey(job.user())) {
      return;
    }
    var run = new PersonRun(tools, job);
    Promise<Void> ended = Promise.promise();
    running.put(job.user(), new Running(run, ended.future()));
    if (!started) {
      run.stop();
    }
    run.run().onComplete(done -> loop.runOnContext(now -> end(job.user(), done.result(), ended)));
  }

  private void end(UserId user, Duration nextLook, Promise<Void> ended) {
    running.remove(user);
    ended.complete();
    claim();
    if (!nextLook.isZero() && nextLook.compareTo(tools.config().pollInterval()) < 0) {
      vertx.setTimer(Math.max(1, nextLook.toMillis()), due -> claim());
    }
  }

  private void renew() {
    if (running.isEmpty()) {
      return;
    }
    tools
        .repository()
        .renew(tools.node(), List.copyOf(running.keySet()), tools.config().lease())
        .onSuccess(lost -> lost.forEach(user -> {
          Running one = running.get(user);
          if (one != null) {
            one.run.lose();
          }
        }))
        .onFailure(
            failure -> LOG.warn("Index leases were not renewed: code={}", Faults.code(failure)));
  }
}
