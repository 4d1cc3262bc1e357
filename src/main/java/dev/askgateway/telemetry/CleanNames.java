package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.Map;
import java.util.Set;

/** Meters of libraries whose names or units Prometheus' own rules refuse: renamed, or left out. */
final class CleanNames implements MeterFilter {
  private static final Map<String, String> RENAMED = Map.of("system.cpu.count", "system.cpus");

  /** In milliseconds and nanoseconds; the second is there in seconds, as {@code process.cpu}. */
  private static final Set<String> LEFT_OUT = Set.of("jvm.compilation.time", "process.cpu.time");

  @Override
  public Meter.Id map(Meter.Id id) {
    String name = RENAMED.get(id.getName());
    return name == null ? id : id.withName(name);
  }

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return LEFT_OUT.contains(id.getName()) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
  }
}
