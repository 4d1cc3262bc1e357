package dev.askgateway.telemetry;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A meter for each value of an enum, and one for none of them. Each is looked up in the registry once,
 * when it is first needed, and from then on found by its value: counting makes no tags and no keys.
 */
final class Labelled<E extends Enum<E>, M> {
  private static final Object NONE = new Object();

  private final Map<Object, M> meters = new ConcurrentHashMap<>();
  private final Made<E, M> made;

  /** Makes the meter of a value; the same one when it is asked again. */
  @FunctionalInterface
  interface Made<E, M> {
    M of(@Nullable E value);
  }

  Labelled(Made<E, M> made) {
    this.made = made;
  }

  M of(@Nullable E value) {
    Object key = value == null ? NONE : value;
    M there = meters.get(key);
    return there != null ? there : meters.computeIfAbsent(key, first -> made.of(value));
  }
}
