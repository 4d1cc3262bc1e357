package dev.askgateway.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.UUID;

/** What Vert.x itself measures: HTTP server and client, pools, the JVM. */
final class VertxMeters {
  /**
   * No path, route, method or address: a client can invent any number of them, and each would be a
   * series for ever. Status codes are ours, pool names are configured.
   */
  private static final EnumSet<Label> LABELS =
      EnumSet.of(Label.HTTP_CODE, Label.POOL_TYPE, Label.POOL_NAME);

  private VertxMeters() {}

  static VertxOptions options() {
    return new VertxOptions()
        .setPreferNativeTransport(true) // epoll where there is one: fewer and cheaper system calls
        .setMetricsOptions(new MicrometerMetricsOptions()
            .setEnabled(true)
            // The registries are found by name in the whole process: one name each, or a second
            // gateway of a test would count into the first one's.
            .setRegistryName("ask-gateway-" + UUID.randomUUID())
            .setLabels(LABELS)
            .setJvmMetricsEnabled(true)
            .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS)
            .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET)
            .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
            .addDisabledMetricsCategory(MetricsDomain.NET_SERVER));
  }

  static VertxBuilder builder(MeterRegistry registry) {
    return Vertx.builder().with(options()).withMetrics(new MicrometerMetricsFactory(registry));
  }
}
