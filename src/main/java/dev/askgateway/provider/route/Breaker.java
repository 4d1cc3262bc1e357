package dev.askgateway.provider.route;

import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A model's circuit breaker. Vert.x's keeps its states and the timer between them. What the calls say
 * is counted here, because {@code CircuitBreaker.execute} credits a result to whatever state it meets
 * when it comes: one success forgets all failures, and a call from before the outage that succeeds
 * late closes a half-open breaker in the place of its probe. Here a call speaks only in the era it
 * was let in, and there is one era between two changes of state.
 */
final class Breaker {
  private final CircuitBreaker states;
  private final HealthRules rules;
  private final LongSupplier nanos;
  private final Consumer<CircuitBreakerState> changed;
  private final AtomicReference<Era> era;

  /** The time between two changes of state. */
  private static final class Era {
    private final CircuitBreakerState state;
    private final long sinceNanos;
    private final AtomicReference<Tally> tally;
    private final AtomicBoolean probed = new AtomicBoolean();

    private Era(CircuitBreakerState state, long now) {
      this.state = state;
      this.sinceNanos = now;
      this.tally = new AtomicReference<>(Tally.empty(now));
    }
  }

  Breaker(
      Vertx vertx,
      String name,
      HealthRules rules,
      LongSupplier nanos,
      Consumer<CircuitBreakerState> changed) {
    this.rules = rules;
    this.nanos = nanos;
    this.changed = changed;
    this.era = new AtomicReference<>(new Era(CircuitBreakerState.CLOSED, nanos.getAsLong()));
    this.states = CircuitBreaker.create(
            name,
            vertx,
            new CircuitBreakerOptions().setResetTimeout(rules.openFor().toMillis()))
        .halfOpenHandler(halfOpen -> turn(now(), CircuitBreakerState.HALF_OPEN));
  }

  /** One call's word, given at most once and only if its era still stands. */
  final class Ticket {
    private final Era of;

    private Ticket(Era of) {
      this.of = of;
    }

    void succeeded() {
      if (of.state == CircuitBreakerState.CLOSED) {
        count(of, true);
      } else if (turn(of, CircuitBreakerState.CLOSED)) {
        states.reset();
      }
    }

    void failed() {
      boolean bad = of.state == CircuitBreakerState.HALF_OPEN || count(of, false);
      if (bad && turn(of, CircuitBreakerState.OPEN)) {
        states.open();
      }
    }

    /** Nothing is known: a probe's place is free for another. */
    void abandoned() {
      of.probed.set(false);
    }
  }

  /** Leave for one call; null: it is open, or its probe is under way. */
  @Nullable
  Ticket admit() {
    Era now = now();
    return switch (now.state) {
      case CLOSED -> new Ticket(now);
      case OPEN -> null;
      case HALF_OPEN -> now.probed.compareAndSet(false, true) ? new Ticket(now) : null;
    };
  }

  CircuitBreakerState state() {
    return now().state;
  }

  /** How long it will surely let nobody in. */
  Duration refusedFor() {
    Era now = now();
    if (now.state != CircuitBreakerState.OPEN) {
      return Duration.ZERO;
    }
    long left = now.sinceNanos + rules.openFor().toNanos() - nanos.getAsLong();
    return Duration.ofNanos(Math.max(1, left)); // the timer may be late
  }

  private Era now() {
    return Objects.requireNonNull(era.get());
  }

  private boolean count(Era in, boolean well) {
    long now = nanos.getAsLong();
    long window = rules.window().toNanos();
    return in.tally.updateAndGet(tally -> tally.with(well, now, window)).isBad(rules);
  }

  private boolean turn(Era from, CircuitBreakerState state) {
    boolean turned = era.compareAndSet(from, new Era(state, nanos.getAsLong()));
    if (turned) {
      changed.accept(state);
    }
    return turned;
  }
}
