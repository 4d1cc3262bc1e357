package dev.askgateway.budget;

import dev.askgateway.core.GatewayError;
import dev.askgateway.store.ReconcileRepository;
import dev.askgateway.store.ReconcileRepository.Report;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again whether what is written of money agrees, one node at a time: who finds another
 * one at it leaves it at that.
 */
public final class ReconcileWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileWatch.class);

  private final Vertx vertx;
  private final ReconcileRepository rows;
  private final Duration interval;
  private final Listener listener;
  private volatile boolean looking;
  private volatile long timer = -1;

  /** Hears what was found. */
  @FunctionalInterface
  public interface Listener {
    void reconciled(long differences, long openHolds);
  }

  public ReconcileWatch(
      Vertx vertx, ReconcileRepository rows, ReconcileConfig config, Listener listener) {
    this.vertx = vertx;
    this.rows = rows;
    this.interval = config.interval();
    this.listener = listener;
  }

  public void start() {
    if (!interval.isZero()) {
      timer = vertx.setPeriodic(interval.toMillis(), tick -> again());
    }
  }

  public void stop() {
    vertx.cancelTimer(timer);
  }

  private void again() {
    if (!looking) {
      looking = true;
      look().onComplete(looked -> looking = false);
    }
  }

  /** Looks once. A database that is away is a matter of health and of the next time. */
  Future<Void> look() {
    return rows.counts(ReconcileRepository.LAPSED)
        .onSuccess(report -> report.ifPresent(this::tell))
        .onFailure(failure -> LOG.warn(
            "money not reconciled: {}",
            failure instanceof GatewayError error
                ? error.code()
                : failure.getClass().getName()))
        .mapEmpty();
  }

  private void tell(Report report) {
    listener.reconciled(report.count(), report.openHolds());
    if (report.count() > 0) {
      LOG.warn(
          "money does not agree, see `ask-gateway reconcile`: differences by kind {}",
          report.kinds());
    }
  }
}
