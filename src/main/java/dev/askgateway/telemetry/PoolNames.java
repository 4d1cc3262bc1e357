package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.Set;

/**
 * Vert.x names a pool of connections after its server, and people with keys of their own may name any
 * server: only those of the configuration keep their names.
 */
final class PoolNames implements MeterFilter {
  private static final String NAME = "pool_name";

  private volatile Set<String> shown = Set.of();

  void show(Set<String> servers) {
    shown = Set.copyOf(servers);
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    String name = id.getTag(NAME);
    return name == null || !"http".equals(id.getTag("pool_type")) || shown.contains(name)
        ? id
        : id.replaceTags(Tags.of(id.getTags()).and(NAME, "other"));
  }
}
