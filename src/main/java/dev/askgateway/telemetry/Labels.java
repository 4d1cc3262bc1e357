package dev.askgateway.telemetry;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TurnState;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How values are written as labels, and where the buckets of latencies lie. */
final class Labels {
  /** What the service promises lies on bounds: .25, 1.5, 3 and 10 s. */
  static final Duration[] LATENCIES = {
    Duration.ofMillis(1), Duration.ofNanos(2_500_000), Duration.ofMillis(5), Duration.ofMillis(10),
    Duration.ofMillis(25), Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250),
    Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofMillis(1500), Duration.ofSeconds(3),
    Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(30),
    Duration.ofSeconds(60)
  };

  private Labels() {}

  static String code(GatewayError.@Nullable Code code) {
    return code == null ? "none" : code.wire();
  }

  static String state(@Nullable TurnState state) {
    return state == null ? "none" : state.wire();
  }

  static String lower(@Nullable Enum<?> value) {
    return value == null ? "none" : value.name().toLowerCase(Locale.ROOT);
  }
}
