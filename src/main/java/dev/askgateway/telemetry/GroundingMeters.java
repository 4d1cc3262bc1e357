package dev.askgateway.telemetry;

import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What answers rest on. Any thread may call any method. */
public final class GroundingMeters {
  /** What a look for the vector of a question came to. */
  public enum QueryCache {
    HIT,
    MISS,
    UNAVAILABLE
  }

  /** More are counted as so many: an answer has no more. */
  private static final int MOST_SOURCES = 4;

  private final Counter marksDropped;
  private final List<Counter> sources;
  private final Labelled<QueryCache, Counter> queryCache;
  private final Labelled<Route, Counter> found;
  private final Labelled<Route, Counter> notFound;
  private final Map<QueryPlan.Reason, Labelled<PlannerOutcome, Counter>> planned =
      new EnumMap<>(QueryPlan.Reason.class);

  GroundingMeters(MeterRegistry registry) {
    marksDropped = Counter.builder("ask.citation.marks.dropped")
        .description("Citation marks of models that named no source, removed from the text")
        .register(registry);
    sources = IntStream.rangeClosed(0, MOST_SOURCES)
        .mapToObj(count -> Counter.builder("ask.answer.sources")
            .description("Answers that models completed, by how many sources they cite")
            .tag("sources", String.valueOf(count))
            .register(registry))
        .toList();
    queryCache = new Labelled<>(value -> Counter.builder("ask.query.cache")
        .description("Looks for the vector of a question in Redis")
        .tag("result", Labels.lower(value))
        .register(registry));
    found = routes(registry, "found");
    notFound = routes(registry, "none");
    for (QueryPlan.Reason reason : QueryPlan.Reason.values()) {
      planned.put(reason, new Labelled<>(outcome -> Counter.builder("ask.planner")
          .description("Questions that tables could not represent, by what a model made of them")
          .tags("reason", reason.code(), "outcome", Labels.lower(outcome))
          .register(registry)));
    }
  }

  private static Labelled<Route, Counter> routes(MeterRegistry registry, String result) {
    return new Labelled<>(route -> Counter.builder("ask.retrieval.routes")
        .description("Searches by the route they took")
        .tags("route", Labels.lower(route), "result", result)
        .register(registry));
  }

  public void marksDropped(int marks) {
    marksDropped.increment(marks);
  }

  /** A model completed an answer that cites so many sources. */
  public void cited(int count) {
    sources.get(Math.min(count, MOST_SOURCES)).increment();
  }

  /** Evidence was looked for on a route, and there was some or none. */
  public void routed(Route route, boolean some) {
    (some ? found : notFound).of(route).increment();
  }

  /** The vector of a question was looked for. */
  public void queryLooked(QueryCache result) {
    queryCache.of(result).increment();
  }

  /** Tables could not represent a question, for that reason, and that came of asking a model. */
  public void planned(QueryPlan.Reason reason, PlannerOutcome outcome) {
    Labelled<PlannerOutcome, Counter> outcomes = planned.get(reason);
    if (outcomes != null) {
      outcomes.of(outcome).increment();
    }
  }
}
