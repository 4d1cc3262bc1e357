package dev.askgateway.telemetry.trace;

import dev.askgateway.core.trace.Traces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import java.util.Set;

/** The traces of one gateway, and what became of them. Any thread may call any method; none blocks. */
public interface Tracing {
  /** Nothing is traced. */
  Tracing OFF = new Tracing() {
    @Override
    public Traces traces() {
      return Traces.OFF;
    }

    @Override
    public VertxBuilder on(VertxBuilder builder) {
      return builder;
    }

    @Override
    public Future<Void> close(Vertx vertx) {
      return Future.succeededFuture();
    }

    @Override
    public long sent() {
      return 0;
    }

    @Override
    public long overflowed() {
      return 0;
    }

    @Override
    public long refused() {
      return 0;
    }
  };

  /**
   * Traces as configured.
   *
   * @param names of servers, models and profiles in the configuration: no other is told
   */
  static Tracing of(TracingConfig config, Set<String> names) {
    return config.isOn() ? new OtelTracing(config, names) : OFF;
  }

  /** Where the spans of requests hang. */
  Traces traces();

  /** Has a Vert.x that is still to be built trace what comes in by HTTP. */
  VertxBuilder on(VertxBuilder builder);

  /** Sends what waits, for two seconds at most, and then nothing more. Does not fail. */
  Future<Void> close(Vertx vertx);

  /** Spans that the collector took; ever growing. */
  long sent();

  /** Spans that found no room in the queue; ever growing. */
  long overflowed();

  /** Spans that the collector did not take; ever growing. */
  long refused();
}
