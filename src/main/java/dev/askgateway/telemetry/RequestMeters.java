package dev.askgateway.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests of all kinds at their end, side by side: how they were answered, what was held for them and
 * what they cost. All series are there from the start, so that also the first of something is a rise.
 * Any thread may call any method.
 */
public final class RequestMeters {
  /** What was asked for. */
  public enum Kind {
    ANSWER,
    CHAT,
    EMBEDDING
  }

  /** How it was answered, or why not. */
  public enum Result {
    FIRST_MODEL,
    FALLBACK,
    NO_CALL,
    FAILED,
    BROKEN,
    CANCELLED
  }

  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Map<Kind, Money> kinds = new EnumMap<>(Kind.class);
  private final Map<String, Map<Result, Counter>> profiles = new ConcurrentHashMap<>();
  private final Map<Result, Counter> other;

  private record Money(Map<Result, Counter> results, Counter estimated, Counter settled) {}

  RequestMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Kind kind : Kind.values()) {
      kinds.put(kind, money(Labels.lower(kind)));
    }
    other = profile(OTHER);
  }

  private Money money(String kind) {
    Map<Result, Counter> results = results(
        "ask.requests",
        "Requests that ended, by what was asked for and how it was answered",
        "kind",
        kind);
    return new Money(
        results,
        Counter.builder("ask.estimated.micro.usd")
            .description("What ended requests could have cost at most: what was held for them")
            .tag("kind", kind)
            .register(registry),
        Counter.builder("ask.settled.micro.usd")
            .description("What the same requests were charged")
            .tag("kind", kind)
            .register(registry));
  }

  private Map<Result, Counter> profile(String name) {
    return results(
        "ask.profile.requests",
        "Requests that ended, by the configured profile they asked for",
        "profile",
        name);
  }

  private Map<Result, Counter> results(
      String name, String description, String label, String value) {
    Map<Result, Counter> counters = new EnumMap<>(Result.class);
    for (Result result : Result.values()) {
      counters.put(
          result,
          Counter.builder(name)
              .description(description)
              .tags(label, value, "result", Labels.lower(result))
              .register(registry));
    }
    return counters;
  }

  /** The profiles that are counted by their names; any other one is {@code other}. */
  public void profiles(Set<String> configured) {
    configured.forEach(name -> profiles.computeIfAbsent(name, this::profile));
  }

  /** The profile as it may be shown. */
  public String shown(String profile) {
    return profiles.containsKey(profile) ? profile : OTHER;
  }

  /** A request ended. Money in micro-USD. */
  public void ended(Kind kind, String profile, Result result, long estimated, long settled) {
    Money money = kinds.get(kind);
    Counter counter = profiles.getOrDefault(profile, other).get(result);
    if (money == null || counter == null) {
      throw new IllegalStateException("every kind and result has its meters");
    }
    counter.increment();
    Counter of = money.results().get(result);
    if (of != null) {
      of.increment();
    }
    money.estimated().increment((double) estimated);
    money.settled().increment((double) settled);
  }
}
