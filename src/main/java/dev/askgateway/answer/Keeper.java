package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnLog;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
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

  /** When the database last knew this node to be alive. */
  private long provenNanos = System.nanoTime();

  Keeper(
      Vertx vertx,
      TurnRepository turns,
      TurnLog log,
      Engine engine,
      AnswerConfig config,
      String node,
      Finisher finisher) {
    this.vertx = vertx;
    this.turns = turns;
    this.log = log;
    this.engine = engine;
    this.config = config;
    this.node = node;
    this.finisher = finisher;
  }

  /** The answers of this node, and what is found out about them. Called on the keeper's loop. */
  interface Charges {
    List<TurnRepository.Running> running();

    void cancelled(UserId user, UUID requestId);

    /** Another node has it, or may have it. */
    void lost(UserId user, UUID requestId);
  }

  /** On an event loop, where it stays. */
  void start(Charges charges) {
    renewTimer = vertx.setPeriodic(config.lease().toMillis() / 3, id -> renew(charges));
    sweepTimer = vertx.setPeriodic(config.sweepInterval().toMillis(), id -> sweep(charges));
  }

  void stop() {
    vertx.cancelTimer(renewTimer);
    vertx.cancelTimer(sweepTimer);
  }

  /**
   * Without a renewal for about as long as the lease, others may end this node's answers with what
   * the log has: so nothing more may be shown of them.
   */
  private void renew(Charges charges) {
    List<TurnRepository.Running> running = charges.running();
    long now = System.nanoTime();
    if (running.isEmpty()) {
      provenNanos = now;
    } else if (now - provenNanos > config.lease().toNanos() * 5 / 6) {
      running.forEach(one -> charges.lost(one.user(), one.requestId()));
    }
    if (!renewing && !running.isEmpty()) {
      renewing = true;
      turns.renew(node, running, config.lease()).onComplete(renewed -> {
        renewing = false;
        if (renewed.succeeded()) {
          provenNanos = now;
          renewed.result().forEach(notice -> tell(notice, charges));
        } else {
          LOG.warn("leases not renewed: {}", Diagnosis.of(renewed.cause()));
        }
      });
    }
  }

  private static void tell(TurnRepository.LeaseNotice notice, Charges charges) {
    if (notice.lost()) {
      charges.lost(notice.user(), notice.requestId());
    } else if (notice.cancelRequested()) {
      charges.cancelled(notice.user(), notice.requestId());
    }
  }

  private void sweep(Charges charges) {
    if (sweeping) {
      return;
    }
    sweeping = true;
    turns
        .claimLapsed(node, config.lease(), SWEEP_AT_ONCE)
        .compose(lapsed -> endAll(lapsed, charges))
        .onComplete(swept -> {
          sweeping = false;
          if (swept.failed()) {
            LOG.warn("sweep failed: {}", Diagnosis.of(swept.cause()));
          }
        });
  }

  /** An answer that still runs here has its lease back by the claim, and goes on. */
  private Future<Void> endAll(List<TurnRepository.Lapsed> lapsed, Charges charges) {
    Future<Void> done = Future.succeededFuture();
    for (TurnRepository.Lapsed one : lapsed) {
      done = done.compose(before ->
              charges.running().contains(new TurnRepository.Running(one.user(), one.requestId()))
                  ? Future.<Void>succeededFuture()
                  : end(one))
          .otherwiseEmpty();
    }
    return done;
  }

  private Future<Void> end(TurnRepository.Lapsed lapsed) {
    return turns.priceBook(lapsed.user(), lapsed.requestId()).compose(priceBook -> LogTail.whole(
            log, lapsed.user(), lapsed.assistantTurnId())
        .otherwise(List.of())
        .compose(events -> end(lapsed, events, engine.prices(priceBook))));
  }

  private Future<Void> end(
      TurnRepository.Lapsed lapsed, List<AnswerEvent> events, Bill.Prices prices) {
    Transcript transcript = Transcript.of(events);
    JsonObject end = ending(transcript, prices).toJson(transcript, null, Duration.ZERO);
    return finisher
        .finish(lapsed.user(), lapsed.requestId(), end)
        .compose(stored -> tell(lapsed, events.size(), new StoredAnswer(stored)))
        .onSuccess(
            ended -> LOG.info("ended an interrupted answer: request {}", lapsed.requestId()));
  }

  /** The answer's own end if its node got as far as telling it, else interrupted. */
  private static Ending ending(Transcript transcript, Bill.Prices prices) {
    AnswerEvent.Ended told = transcript.ended();
    if (told == null) {
      return new Ending(
          TurnState.FAILED,
          FinishReason.ERROR,
          Bill.of(prices, transcript.call(), TurnState.FAILED, transcript.hasText()),
          GatewayError.Code.INTERRUPTED);
    }
    Bill.Call call = new Bill.Call(told.provider(), told.model(), told.usage());
    return new Ending(
        told.state(),
        told.finishReason(),
        Bill.of(prices, call, told.state(), transcript.hasText()),
        told.error() == null ? null : told.error().code());
  }

  /** Readers on other nodes learn the end from the log; without it they ask the database. */
  private Future<Void> tell(TurnRepository.Lapsed lapsed, long position, StoredAnswer stored) {
    return log.append(lapsed.user(), lapsed.assistantTurnId(), position, List.of(stored.ended()))
        .otherwiseEmpty();
  }
}
