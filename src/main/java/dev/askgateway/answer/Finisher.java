package dev.askgateway.answer;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import dev.askgateway.telemetry.LogFields;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores an answer's end, trying again while the database is away. The function is idempotent: when
 * the reply of a stored end was lost, the next try reads what stands.
 */
public final class Finisher {
  private static final Logger LOG = LoggerFactory.getLogger(Finisher.class);
  private static final List<Long> RETRY_MILLIS = List.of(100L, 500L, 2_000L);
  private static final long LATER_MILLIS = 1_000;
  private static final int LATER_TRIES = 300;
  private static final int MAX_WAITING = 1_000;

  /** Where an end is stored, as {@link TurnRepository#finish} does it. */
  @FunctionalInterface
  public interface Ends {
    Future<JsonObject> finish(UserId user, UUID requestId, String node, JsonObject end);
  }

  private final Vertx vertx;
  private final Ends ends;
  private final String node;
  private final AtomicInteger waiting = new AtomicInteger();

  /** @param node names this process in leases */
  public Finisher(Vertx vertx, Ends ends, String node) {
    this.vertx = vertx;
    this.ends = ends;
    this.node = node;
  }

  /**
   * The request as it stands after its end, whoever ended it. An end whose content the database
   * refuses is stored without it, as failed, so that its hold is settled.
   */
  public Future<JsonObject> finish(UserId user, UUID requestId, JsonObject end) {
    return attempt(user, requestId, end, 0).recover(refused -> {
      if (isAway(refused)) {
        return Future.failedFuture(refused);
      }
      LOG.error(
          "answer refused: request {} cause {}",
          LogFields.request(requestId),
          Diagnosis.of(refused));
      return ends.finish(user, requestId, node, Ending.bare(end));
    });
  }

  private Future<JsonObject> attempt(UserId user, UUID requestId, JsonObject end, int tried) {
    return ends.finish(user, requestId, node, end)
        .recover(failure -> !isAway(failure) || tried >= RETRY_MILLIS.size()
            ? Future.failedFuture(failure)
            : vertx
                .timer(RETRY_MILLIS.get(tried))
                .compose(later -> attempt(user, requestId, end, tried + 1)));
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof GatewayError known
        && known.code() == GatewayError.Code.DEPENDENCY_UNAVAILABLE;
  }

  /**
   * Goes on trying for some minutes after readers were told. Whatever this does not store the sweeper
   * does, from the log.
   *
   * @return complete once it is stored or given up; never fails
   */
  public Future<Void> later(UserId user, UUID requestId, JsonObject end) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return Future.succeededFuture();
    }
    return later(user, requestId, end, LATER_TRIES)
        .<Void>mapEmpty()
        .onComplete(done -> {
          waiting.decrementAndGet();
          if (done.failed()) {
            LOG.error(
                "answer left to the sweeper: request {} cause {}",
                LogFields.request(requestId),
                Diagnosis.of(done.cause()));
          }
        })
        .otherwiseEmpty();
  }

  private Future<JsonObject> later(UserId user, UUID requestId, JsonObject end, int tries) {
    return vertx
        .timer(LATER_MILLIS)
        .compose(now -> ends.finish(user, requestId, node, end))
        .recover(failure -> isAway(failure) && tries > 1
            ? later(user, requestId, end, tries - 1)
            : Future.failedFuture(failure));
  }
}
