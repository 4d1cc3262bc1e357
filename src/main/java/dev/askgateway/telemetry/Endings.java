package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How requests of one kind ended: counted by state and code, timed by state. */
final class Endings {
  private final Labelled<TurnState, Labelled<GatewayError.Code, Counter>> ended;
  private final Labelled<TurnState, Timer> took;

  /**
   * @param counter name of what counts them
   * @param timer name of what times them
   * @param kind the labels that all of them have
   */
  Endings(MeterRegistry registry, String counter, String timer, Tags kind) {
    ended = new Labelled<>(state -> new Labelled<>(code -> Counter.builder(counter)
        .description("Requests that ended, by how and why")
        .tags(kind.and("state", Labels.state(state), "code", Labels.code(code)))
        .register(registry)));
    took = new Labelled<>(state -> Timer.builder(timer)
        .description("From the request to its end")
        .tags(kind.and("state", Labels.state(state)))
        .serviceLevelObjectives(Labels.LATENCIES)
        .register(registry));
  }

  void count(TurnState state, GatewayError.@Nullable Code code, Duration duration) {
    ended.of(state).of(code).increment();
    took.of(state).record(duration);
  }
}
