package dev.askgateway.telemetry.trace;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Continues a client's trace by its {@code traceparent} alone: {@code tracestate} may hold any text, which
 * would be exported with each span. Tells nobody of ours.
 */
final class TraceParent implements TextMapPropagator {
  private static final String HEADER = "traceparent";
  private static final TextMapPropagator W3C = W3CTraceContextPropagator.getInstance();

  @Override
  public Collection<String> fields() {
    return List.of(HEADER);
  }

  @Override
  public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
    // Who asks a model does not tell it which request that was.
  }

  @Override
  public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
    return W3C.extract(context, carrier, new TextMapGetter<C>() {
      @Override
      public Iterable<String> keys(C of) {
        return List.of(HEADER);
      }

      @Override
      public @Nullable String get(@Nullable C of, String key) {
        return key.equals(HEADER) ? getter.get(of, key) : null;
      }
    });
  }
}
