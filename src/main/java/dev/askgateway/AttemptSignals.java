package dev.askgateway;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.telemetry.LogFields;
import dev.askgateway.telemetry.ModelMeters;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of models that one request makes: counted, and the cause of each that failed logged. That
 * it ended is counted by the request, which knows whether its answer was whole.
 */
record AttemptSignals(ModelMeters meters, UUID request) implements AttemptListener {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptSignals.class);

  @Override
  public void started(Attempt attempt) {
    if (attempt.number() > 1 && !attempt.hedge()) {
      meters.retried(attempt.provider().name());
    }
  }

  @Override
  public void firstOutput(Attempt attempt, long nanos) {
    meters.firstOutput(attempt.provider().name(), nanos);
  }

  @Override
  public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
    over(attempt, false, error, nanos);
  }

  @Override
  public void ended(Attempt attempt, @Nullable GatewayError failure, Usage used, long nanos) {
    over(attempt, true, failure, nanos);
  }

  private void over(Attempt attempt, boolean chosen, @Nullable GatewayError failure, long nanos) {
    String provider = attempt.provider().name();
    if (attempt.hedge()) {
      meters.hedged(provider, chosen);
    }
    if (failure != null) {
      log(attempt.number(), provider, attempt.provider().model(), failure, nanos);
    }
  }

  /** The calls for vectors of one request, counted as one. */
  void embedded(EmbeddingModel model, @Nullable Throwable failure, Duration took) {
    if (failure == null) {
      meters.attempted(model.name(), null);
      return;
    }
    meters.attempted(
        model.name(),
        failure instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL);
    log(1, model.name(), model.model(), ProviderFailure.transport(failure), took.toNanos());
  }

  /** Who was stopped by us, or overtaken, has not failed: that is worth a line only when debugging. */
  private void log(int number, String provider, String model, GatewayError failure, long nanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (failure.code() == GatewayError.Code.CANCELLED) {
      if (LOG.isDebugEnabled()) { // often: whoever loses a race is stopped
        LOG.debug(
            "model call stopped: request {} attempt {} provider {} model {} after {} ms",
            LogFields.request(request),
            number,
            provider,
            model,
            millis);
      }
    } else {
      LOG.info(
          "model call failed: request {} attempt {} provider {} model {} after {} ms: {}",
          LogFields.request(request),
          number,
          provider,
          model,
          millis,
          ProviderFailure.loggable(failure));
    }
  }
}
