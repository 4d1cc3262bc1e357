package dev.askgateway.telemetry;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Which build runs, since when, what it takes of the machine, and whether its log keeps up. */
final class ProcessMeters {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private ProcessMeters() {}

  static void bind(MeterRegistry registry) {
    Gauge.builder("ask.build.info", () -> 1)
        .description("Always 1; the labels tell which build runs, on which Java")
        .tags("version", version(), "java", System.getProperty("java.version", "unknown"))
        .register(registry);
    new UptimeMetrics().bindTo(registry);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, now -> now.getProcessCpuTime() / NANOS)
          .description("Time of processors that the process took")
          .baseUnit("seconds")
          .register(registry);
    }
    FunctionCounter.builder("ask.log.dropped", LogQueue.DROPPED, LongAdder::sum)
        .description("Lines of the log that were left out, because whoever reads it was too slow")
        .register(registry);
  }

  /** As the build wrote it into the jar. */
  private static String version() {
    String version = ProcessMeters.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
