package dev.askgateway.answer;

import dev.askgateway.core.UserId;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of this node's answers, and has those of dead nodes swept. */
final class Keeper {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

  private final Vertx vertx;
  private final TurnRepository turns;
  private final AnswerConfig config;
  private final String node;
  private final Sweeper sweeper;
  private final LongSupplier nanos;
  private long renewTimer = -1;
  private boolean renewing;

  /** When the database last knew this node to be alive. */
  private long provenNanos;

  Keeper(
      Vertx vertx,
      TurnRepository turns,
      AnswerConfig config,
      String node,
      Sweeper sweeper,
      LongSupplier nanos) {
    this.vertx = vertx;
    this.turns = turns;
    this.config = config;
    this.node = node;
    this.sweeper = sweeper;
    this.nanos = nanos;
    this.provenNanos = nanos.getAsLong();
  }

  /** The answers of this node, and what is found out about them. Called on the keeper's loop. */
  interface Charges {
    List<TurnRepository.Running> running();

    void cancelled(UserId user, UUID requestId);

    /** Another node has it, or may have it. */
    void lost(UserId user, UUID requestId);
  }

  /** On an event loop, where it stays. */
  void start(Charges charges, Supplier<List<TurnRepository.Running>> besides) {
    renewTimer = vertx.setPeriodic(config.lease().toMillis() / 3, id -> renew(charges));
    sweeper.start(
        () -> Stream.concat(charges.running().stream(), besides.get().stream()).toList());
  }

  /** Ends no more answers of others. Complete when those that were claimed are ended. */
  Future<Void> stopSweeping() {
    return sweeper.stop();
  }

  void stop() {
    vertx.cancelTimer(renewTimer);
    sweeper.stop();
  }

  /**
   * Without a renewal for about as long as the lease, others may end this node's answers with what
   * the log has: so nothing more may be shown of them.
   */
  private void renew(Charges charges) {
    List<TurnRepository.Running> running = charges.running();
    long now = nanos.getAsLong();
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
}
