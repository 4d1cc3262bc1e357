package dev.askgateway.telemetry.trace;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.SpanKey;
import dev.askgateway.core.trace.SpanName;
import dev.askgateway.core.trace.Vendor;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * A step as a span of OpenTelemetry. Its context is handed along, never made current.
 *
 * @param names those of the configuration
 */
record OtelSpan(Tracer tracer, Set<String> names, Context context) implements Span {
  static final String ERROR_TYPE = "error.type";

  private io.opentelemetry.api.trace.Span span() {
    return io.opentelemetry.api.trace.Span.fromContext(context);
  }

  @Override
  public Span child(SpanName name) {
    io.opentelemetry.api.trace.Span step = tracer
        .spanBuilder(name.wire())
        .setParent(context)
        .setSpanKind(name.isCall() ? SpanKind.CLIENT : SpanKind.INTERNAL)
        .startSpan();
    return new OtelSpan(tracer, names, context.with(step));
  }

  @Override
  public Span set(SpanKey key, long value) {
    span().setAttribute(key.wire(), value);
    return this;
  }

  @Override
  public Span set(SpanKey key, boolean value) {
    span().setAttribute(key.wire(), value);
    return this;
  }

  @Override
  public Span set(SpanKey key, Enum<?> word) {
    return set(key, word.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public Span set(SpanKey key, Vendor vendor) {
    return set(key, vendor.wire());
  }

  @Override
  public Span set(SpanKey key, UUID id) {
    return set(key, id.toString());
  }

  @Override
  public Span named(SpanKey key, String name) {
    return names.contains(name) ? set(key, name) : this;
  }

  private Span set(SpanKey key, String value) {
    span().setAttribute(key.wire(), value);
    return this;
  }

  @Override
  public Span failed(GatewayError.Code code) {
    span().setAttribute(ERROR_TYPE, code.wire());
    if (code != GatewayError.Code.CANCELLED) {
      span().setStatus(StatusCode.ERROR);
    }
    return this;
  }

  @Override
  public void end() {
    span().end();
  }
}
