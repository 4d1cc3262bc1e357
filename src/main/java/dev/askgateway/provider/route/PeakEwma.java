package dev.askgateway.provider.route;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * What it costs to ask a model now: its time to the first output, as a moving average that believes a
 * slow call at once and fast ones only gradually and forgets with time, times the calls under way and
 * the one to come. So a model that gets slow loses its calls before the average of all says so, and one
 * that nobody asks becomes worth a try again.
 *
 * <p>This is the "peak EWMA" of Finagle ({@code com.twitter.finagle.loadbalancer.PeakEwma}), which
 * Linkerd balances by.
 */
final class PeakEwma {
  /** After this long an observation weighs 1/e. */
  private static final double DECAY_NANOS = 10e9;

  /** The cost of a model nobody has measured while its first calls are under way: one at a time. */
  private static final double UNKNOWN = 60e9;

  private final LongSupplier nanos;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicReference<Average> average;

  private record Average(double cost, long atNanos) {
    private Average with(double observed, long now) {
      double weight = Math.exp(-(double) Math.max(0, now - atNanos) / DECAY_NANOS);
      return new Average(
          observed > cost ? observed : cost * weight + observed * (1 - weight),
          now - atNanos > 0 ? now : atNanos);
    }
  }

  PeakEwma(LongSupplier nanos) {
    this.nanos = nanos;
    this.average = new AtomicReference<>(new Average(0, nanos.getAsLong()));
  }

  void started() {
    underWay.incrementAndGet();
  }

  void ended() {
    underWay.decrementAndGet();
  }

  void observed(long firstOutputNanos) {
    long now = nanos.getAsLong();
    average.updateAndGet(was -> was.with((double) firstOutputNanos, now));
  }

  /** The cost of asking now; 0 for a model that was never measured, or long ago, and is idle. */
  double cost() {
    Average last = Objects.requireNonNull(average.get());
    double cost = last.with(0, nanos.getAsLong()).cost();
    int calls = underWay.get();
    return cost < 1 && calls > 0 ? UNKNOWN + calls : cost * (calls + 1);
  }
}
