package dev.askgateway.provider.route;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.gate.Candidate;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one model of one provider from the calls of all event loops: its breaker, the waits
 * it asked for, and how fast it answers. Only what the model or the way to it is to blame for counts
 * against it, never what is wrong with a request, an account or a client.
 */
final class ModelHealth {
  /** A failure is as good as a first output that comes this late. */
  private static final long FAILURE_NANOS = 10_000_000_000L;

  private final String provider;
  private final String model;
  private final HealthRules rules;
  private final HealthListener listener;
  private final Breaker breaker;
  private final NotBefore providerAccess;
  private final NotBefore access;
  private final NotBefore rate;
  private final PeakEwma latency;

  /** One whose account marks {@code providerAccess}, which all models of the provider share. */
  ModelHealth(
      Vertx vertx,
      String provider,
      String model,
      NotBefore providerAccess,
      HealthRules rules,
      LongSupplier nanos,
      HealthListener listener) {
    this.provider = provider;
    this.model = model;
    this.rules = rules;
    this.listener = listener;
    this.providerAccess = providerAccess;
    this.access = new NotBefore(nanos);
    this.rate = new NotBefore(nanos);
    this.latency = new PeakEwma(nanos);
    this.breaker =
        new Breaker(vertx, provider + ":" + model, rules, nanos, state -> tell(stateOf(state)));
  }

  /** Leave for one call, or null. */
  Candidate.@Nullable Permit admit() {
    if (!providerAccess.isOver() || !access.isOver() || !rate.isOver()) {
      return null;
    }
    Breaker.Ticket ticket = breaker.admit();
    if (ticket == null) {
      return null;
    }
    latency.started();
    return new Call(ticket);
  }

  /** How long {@link #admit} will surely refuse. */
  Duration refusedFor() {
    Duration most = breaker.refusedFor();
    for (NotBefore wait : new NotBefore[] {providerAccess, access, rate}) {
      Duration left = wait.left();
      most = left.compareTo(most) > 0 ? left : most;
    }
    return most;
  }

  double cost() {
    return latency.cost();
  }

  HealthState state() {
    if (!providerAccess.isOver() || !access.isOver()) {
      return HealthState.NO_ACCESS;
    }
    CircuitBreakerState state = breaker.state();
    if (state == CircuitBreakerState.CLOSED && !rate.isOver()) {
      return HealthState.RATE_LIMITED;
    }
    return stateOf(state);
  }

  private static HealthState stateOf(CircuitBreakerState state) {
    return switch (state) {
      case CLOSED -> HealthState.UP;
      case OPEN -> HealthState.DOWN;
      case HALF_OPEN -> HealthState.PROBING;
    };
  }

  private void tell(HealthState state) {
    listener.changed(provider, model, state);
  }

  /** A call under way. Ends once, whatever is told afterwards. */
  private final class Call implements Candidate.Permit {
    private final Breaker.Ticket ticket;
    private final AtomicBoolean over = new AtomicBoolean();

    private Call(Breaker.Ticket ticket) {
      this.ticket = ticket;
    }

    @Override
    public void firstOutput(long nanos) {
      latency.observed(nanos);
    }

    @Override
    public void succeeded() {
      if (end()) {
        ticket.succeeded();
      }
    }

    @Override
    public void abandoned() {
      if (end()) {
        ticket.abandoned();
      }
    }

    @Override
    public void failed(GatewayError error) {
      if (!end()) {
        return;
      }
      Kind kind = ProviderFailure.kindOf(error);
      Duration asked = error.retryAfter();
      if (kind == Kind.ACCOUNT) {
        ticket.abandoned();
        refused(error);
      } else if (kind == Kind.RATE_LIMITED && asked != null && !asked.isZero()) {
        ticket.abandoned(); // it is well, and says when it has time
        rate.in(asked.compareTo(rules.mostWait()) < 0 ? asked : rules.mostWait());
        tell(HealthState.RATE_LIMITED);
      } else if (kind.passing()) {
        ticket.failed();
        latency.observed(FAILURE_NANOS);
      } else {
        ticket.abandoned();
      }
    }

    private void refused(GatewayError error) {
      (ProviderFailure.isModelOnly(error) ? access : providerAccess).in(rules.noAccessFor());
      tell(HealthState.NO_ACCESS);
    }

    private boolean end() {
      boolean first = over.compareAndSet(false, true);
      if (first) {
        latency.ended();
      }
      return first;
    }
  }
}
