package dev.askgateway.telemetry.trace;

import dev.askgateway.core.trace.Span;
import dev.askgateway.core.trace.Traces;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingOptions;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import io.vertx.tracing.opentelemetry.Operation;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The traces of one gateway that sends them somewhere. Shared by all event loops. */
final class OtelTracing implements Tracing {
  private static final String SCOPE = "dev.askgateway";
  private static final Duration EXPORT = Duration.ofSeconds(5);
  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** Longest time that the end of the process waits for the last spans to be sent. */
  private static final long LAST_SECONDS = 2;

  private final Outbox outbox;
  private final SdkTracerProvider provider;
  private final OpenTelemetrySdk sdk;
  private final Tracer tracer;
  private final Set<String> names;

  /** @param names of servers, models and profiles that may be told */
  OtelTracing(TracingConfig config, Set<String> names) {
    ownLogs();
    this.names = Set.copyOf(names);
    outbox = new Outbox(collector(config), config.queueSize());
    provider = SdkTracerProvider.builder()
        .setResource(resource(config))
        .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.sampleRatio())))
        .addSpanProcessor(outbox)
        .build();
    sdk = OpenTelemetrySdk.builder()
        .setTracerProvider(provider)
        .setPropagators(ContextPropagators.create(new TraceParent()))
        .build();
    tracer = sdk.getTracer(SCOPE);
  }

  /** It logs by java.util.logging, which would write beside our own lines. */
  private static void ownLogs() {
    if (!SLF4JBridgeHandler.isInstalled()) {
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
  }

  private static OtlpHttpSpanExporter collector(TracingConfig config) {
    OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder()
        .setEndpoint(config.url())
        .setCompression("gzip")
        .setConnectTimeout(CONNECT)
        .setTimeout(EXPORT);
    config.headers().forEach(builder::addHeader);
    return builder.build();
  }

  private static Resource resource(TracingConfig config) {
    String version = OtelTracing.class.getPackage().getImplementationVersion();
    AttributesBuilder told = Attributes.builder()
        .put("service.version", version == null ? "dev" : version)
        .put("service.instance.id", UUID.randomUUID().toString());
    config.attributes().forEach((key, value) -> told.put(AttributeKey.stringKey(key), value));
    told.put("service.name", config.serviceName());
    return Resource.getDefault().merge(Resource.create(told.build()));
  }

  @Override
  public VertxBuilder on(VertxBuilder builder) {
    return builder.withTracer(options -> new ServerTracer(vertx(sdk, options)));
  }

  /** The library's tracer, whose type its factory does not tell. */
  @SuppressWarnings("unchecked")
  private static VertxTracer<Operation, Operation> vertx(
      OpenTelemetrySdk sdk, TracingOptions options) {
    return (VertxTracer<Operation, Operation>) new OpenTelemetryTracingFactory(sdk).tracer(options);
  }

  @Override
  public Traces traces() {
    return this::current;
  }

  private Span current() {
    Context context = Context.current();
    SpanContext parent = io.opentelemetry.api.trace.Span.fromContext(context).getSpanContext();
    return parent.isValid() && parent.isSampled()
        ? new OtelSpan(tracer, names, context)
        : Span.NONE;
  }

  @Override
  public Future<Void> close(Vertx vertx) {
    Promise<Void> flushed = Promise.promise();
    provider.shutdown().whenComplete(flushed::tryComplete);
    return Future.any(flushed.future(), vertx.timer(LAST_SECONDS, TimeUnit.SECONDS))
        .<Void>mapEmpty()
        .onComplete(done -> outbox.giveUp());
  }

  @Override
  public long sent() {
    return outbox.sent();
  }

  @Override
  public long overflowed() {
    return outbox.overflowed();
  }

  @Override
  public long refused() {
    return outbox.refused();
  }
}
