package dev.askgateway.provider.gate;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.LongSupplier;

/** What all attempts of one run share. */
record GateTerms(
    Vertx vertx,
    Backoff backoff,
    LongSupplier nanos,
    LoopLag lag,
    ModelRequest request,
    Plan plan,
    AttemptListener listener,
    long endNanos) {

  /** The total begins now. */
  GateTerms(
      Vertx vertx,
      Backoff backoff,
      LongSupplier nanos,
      LoopLag lag,
      ModelRequest request,
      Plan plan,
      AttemptListener listener) {
    this(
        vertx,
        backoff,
        nanos,
        lag,
        request,
        plan,
        listener,
        nanos.getAsLong() + plan.deadlines().total().toNanos());
  }

  long now() {
    return nanos.getAsLong();
  }

  Deadlines deadlines() {
    return plan.deadlines();
  }

  /** Whether it came of our own lateness, and says nothing of the model. */
  boolean isOurs(GatewayError error) {
    return ProviderFailure.kindOf(error) == ProviderFailure.Kind.TIMEOUT && lag.isBehind();
  }

  /** What is left of the total, in whole milliseconds. */
  Duration left() {
    return Duration.ofMillis(Math.max(0, (endNanos - nanos.getAsLong()) / 1_000_000));
  }
}
