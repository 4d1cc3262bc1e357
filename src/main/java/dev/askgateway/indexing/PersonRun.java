package dev.askgateway.indexing;

import dev.askgateway.core.UserId;
import dev.askgateway.store.IndexRepository;
import dev.askgateway.store.IndexRepository.Failed;
import dev.askgateway.store.IndexRepository.Job;
import dev.askgateway.store.IndexRepository.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One person's turn: a bounded number of batches, after which the job is closed or given back. */
final class PersonRun {
  private static final Logger LOG = LoggerFactory.getLogger(PersonRun.class);

  /** The pause when all that is left is being changed right now. */
  private static final Duration LOCKED_PAUSE = Duration.ofMillis(250);

  /** What every turn of a node works with. */
  record Tools(
      String node,
      IndexRepository repository,
      EmbeddingCalls calls,
      IndexingConfig config,
      Backoff backoff,
      IndexingEvents events) {}

  private final Tools tools;
  private final UserId user;
  private final boolean listed;
  private int attempts;
  private boolean progressed;
  private volatile boolean stopping;
  private volatile boolean lost;

  PersonRun(Tools tools, Job job) {
    this.tools = tools;
    this.user = job.user();
    this.listed = job.listed();
    this.attempts = job.attempts();
  }

  /** Ends after the batch that runs; the person is given back. */
  void stop() {
    stopping = true;
  }

  /** Ends after the batch that runs; the person is another node's. */
  void lose() {
    lost = true;
  }

  /** Never fails. Succeeds with the time after which this person is worth another look. */
  Future<Duration> run() {
    Future<Void> list = listed ? Future.succeededFuture() : tools.repository.list(user);
    return list.compose(ok -> step(tools.config.batchesPerClaim())).recover(this::failed);
  }

  private Future<Duration> step(int batchesLeft) {
    if (lost) {
      return Future.succeededFuture(Duration.ZERO);
    }
    if (stopping || batchesLeft == 0) {
      return release(null, progressed ? Duration.ZERO : LOCKED_PAUSE, null);
    }
    return tools
        .repository
        .take(user, tools.calls.limits().texts())
        .compose(texts -> texts.isEmpty()
            ? settle(batchesLeft)
            : work(tools.calls.limits().fitting(texts)).compose(done -> step(batchesLeft - 1)));
  }

  private Future<Void> work(List<Waiting> texts) {
    boolean suspicious = attempts > 0 || texts.stream().anyMatch(text -> text.attempts() > 0);
    Batch batch = new Batch(tools.calls, texts, use -> tools.events.embedded(user, use));
    return batch.embed(suspicious).compose(result -> write(result)
        .onComplete(stored -> batch.written())
        .compose(written -> blame(result.refused()))
        .compose(blamed -> result.outage() == null
            ? Future.succeededFuture()
            : Future.failedFuture(result.outage())));
  }

  private Future<Void> write(Batch.Result result) {
    if (result.embedded().isEmpty()) {
      return Future.succeededFuture();
    }
    return tools.repository.write(user, result.embedded()).map(written -> {
      if (written > 0) {
        attempts = 0;
        progressed = true;
        tools.events.indexed(written);
      }
      return null;
    });
  }

  private Future<Void> blame(List<Batch.Refused> refused) {
    if (refused.isEmpty()) {
      return Future.succeededFuture();
    }
    progressed = true;
    return tools.repository.fail(user, refused.stream().map(this::failure).toList());
  }

  private Failed failure(Batch.Refused refused) {
    Waiting text = refused.text();
    int tries = text.attempts() + 1;
    boolean parked = tries >= tools.config.textAttempts();
    String code = Faults.code(refused.cause());
    tools.events.failed(code, parked);
    if (parked) {
      LOG.warn(
          "A message is left out of the index: user={} message={} code={}",
          user.value(),
          text.messageId(),
          code);
    }
    return new Failed(
        text.messageId(), text.contentHash(), code, tools.backoff.after(tries), parked);
  }

  private Future<Duration> settle(int batchesLeft) {
    return tools.repository.settle(user).compose(settlement -> switch (settlement.outcome()) {
      case MORE -> step(batchesLeft - 1);
      case WAIT -> release(settlement.seen(), settlement.delay(), null);
      case DONE ->
        tools
            .repository
            .close(user, tools.node, settlement.seen())
            .compose(closed -> closed
                ? Future.succeededFuture(Duration.ZERO)
                : release(null, Duration.ZERO, null));
    });
  }

  private Future<Duration> release(
      @Nullable OffsetDateTime seen, Duration delay, @Nullable String error) {
    return tools
        .repository
        .release(user, tools.node, seen, delay, attempts, error)
        .map(delay);
  }

  /** The whole job waits, ever longer; it shows as failed when that goes on, or only people can help. */
  private Future<Duration> failed(Throwable failure) {
    attempts++;
    String code = Faults.code(failure);
    Duration delay = tools.backoff.after(attempts);
    LOG.warn(
        "Indexing failed: user={} code={} attempt={} nextInMillis={}",
        user.value(),
        code,
        attempts,
        delay.toMillis());
    tools.events.failed(code, false);
    boolean visible = Faults.permanent(failure) || attempts >= tools.config.visibleAfter();
    Future<Void> shown =
        visible ? tools.repository.markFailed(user, code) : Future.succeededFuture();
    // With the database away nothing can be noted: the lease then ends by itself.
    return shown.compose(ok -> release(null, delay, code)).otherwise(delay);
  }
}
