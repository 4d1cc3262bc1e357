package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the promise that every begun answer ends: renews this node's leases, and ends the answers of
 * nodes that no longer renew theirs, with what the shared log still knows of them.
 */
final class Keeper {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
  private static final int SWEEP_AT_ONCE = 20;

  private final Vertx vertx;
  private final TurnRepository turns;
  private final TurnLog log;
  private final Engine engine;
  private final AnswerConfig config;
  private final String node;
  private final Finisher finisher;
  private long renewTimer = -1;
  private long sweepTimer = -1;
  private boolean renewing;
  private boolean sweeping;

  Keeper(
      Vertx vertx,
      TurnRepository turns,
      TurnLog log,
      Engine engine,
      AnswerConfig config,
      String node) {
    this.vertx = vertx;
    this.turns = turns;
    this.log = log;
    this.engine = engine;
    this.config = config;
    this.node = node;
    this.finisher = new Finisher(vertx, turns, node);
  }

  /** What the renewal finds out about a running answer. */
  interface Notices {
    void cancelled(UserId user, UUID requestId);

    void lost(UserId user, UUID requestId);
  }

  void start(Supplier<List<TurnRepository.Running>> running, Notices notices) {
    renewTimer =
        vertx.setPeriodic(config.lease().toMillis() / 3, id -> renew(running.get(), notices));
    sweepTimer = vertx.setPeriodic(config.sweepInterval().toMillis(), id -> sweep());
  }

  void stop() {
    vertx.cancelTimer(renewTimer);
    vertx.cancelTimer(sweepTimer);
  }

  private void renew(List<TurnRepository.Running> running, Notices notices) {
    if (renewing || running.isEmpty()) {
      return;
    }
    renewing = true;
    turns.renew(node, running, config.lease()).onComplete(renewed -> {
      renewing = false;
      if (renewed.failed()) {
        LOG.warn("leases not renewed: {}", Diagnosis.of(renewed.cause()));
        return;
      }
      for (TurnRepository.LeaseNotice notice : renewed.result()) {
        if (notice.lost()) {
          notices.lost(notice.user(), notice.requestId());
        } else if (notice.cancelRequested()) {
          notices.cancelled(notice.user(), notice.requestId());
        }
      }
    });
  }

  private void sweep() {
    if (sweeping) {
      return;
    }
    sweeping = true;
    turns
        .claimLapsed(node, config.lease(), SWEEP_AT_ONCE)
        .compose(this::endAll)
        .onComplete(swept -> {
          sweeping = false;
          if (swept.failed()) {
            LOG.warn("sweep failed: {}", Diagnosis.of(swept.cause()));
          }
        });
  }

  private Future<Void> endAll(List<TurnRepository.Lapsed> lapsed) {
    Future<Void> done = Future.succeededFuture();
    for (TurnRepository.Lapsed one : lapsed) {
      done = done.compose(before -> end(one)).otherwiseEmpty();
    }
    return done;
  }

  private Future<Void> end(TurnRepository.Lapsed lapsed) {
    return LogTail.whole(log, lapsed.user(), lapsed.assistantTurnId())
        .otherwise(List.of())
        .compose(events -> end(lapsed, Transcript.of(events)));
  }

  private Future<Void> end(TurnRepository.Lapsed lapsed, Transcript transcript) {
    Ending end = ending(transcript);
    return finisher
        .finish(lapsed.user(), lapsed.requestId(), end.toJson(transcript, null, Duration.ZERO))
        .compose(stored -> tell(lapsed, new StoredAnswer(stored)))
        .onSuccess(
            ended -> LOG.info("ended an interrupted answer: request {}", lapsed.requestId()));
  }

  /**
   * The answer's own end if its node got as far as telling it, else interrupted. A call that is known
   * is billed by estimate; when the log knows of none, nothing is.
   */
  private Ending ending(Transcript transcript) {
    AnswerEvent.Ended told = transcript.ended();
    if (told != null && told.state() == TurnState.COMPLETED) {
      return priced(told.state(), told.finishReason(), told.provider(), told.model(), told.usage());
    }
    AnswerEvent.ModelCalled called = transcript.called();
    return priced(
        TurnState.FAILED,
        FinishReason.ERROR,
        called == null ? "none" : called.provider(),
        called == null ? "none" : called.model(),
        transcript.estimate());
  }

  private Ending priced(
      TurnState state, FinishReason reason, String provider, String model, Usage usage) {
    return new Ending(
        state,
        reason,
        provider,
        model,
        usage,
        engine.costMicroUsd(provider, model, usage),
        state == TurnState.FAILED ? Failures.failure(GatewayError.Code.INTERRUPTED.wire()) : null);
  }

  /** Readers on other nodes learn the end from the log; without it they ask the database. */
  private Future<Void> tell(TurnRepository.Lapsed lapsed, StoredAnswer stored) {
    return log.append(lapsed.user(), lapsed.assistantTurnId(), List.of(stored.ended()))
        .otherwiseEmpty();
  }
}
