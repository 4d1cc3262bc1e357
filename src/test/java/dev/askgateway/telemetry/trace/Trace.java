package dev.askgateway.telemetry.trace;

import java.util.Comparator;
import java.util.List;

/** The spans of one trace, in the order in which they began. */
public record Trace(List<Recorded> spans) {
  public Trace {
    spans = spans.stream()
        .sorted(Comparator.comparingLong((Recorded one) -> one.span().getStartTimeUnixNano()))
        .toList();
  }

  /** The one span of that name. */
  public Recorded one(String name) {
    List<Recorded> found = all(name);
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " spans " + name + " in " + names());
    }
    return found.get(0);
  }

  public List<Recorded> all(String name) {
    return spans.stream().filter(span -> span.name().equals(name)).toList();
  }

  public List<String> names() {
    return spans.stream().map(Recorded::name).toList();
  }

  /** The names of the steps of a span, each of which began and ended within its time. */
  public List<String> stepsOf(Recorded parent) {
    List<Recorded> steps =
        spans.stream().filter(span -> span.parentId().equals(parent.id())).toList();
    for (Recorded step : steps) {
      if (step.span().getStartTimeUnixNano() < parent.span().getStartTimeUnixNano()
          || step.span().getEndTimeUnixNano() > parent.span().getEndTimeUnixNano()) {
        throw new AssertionError(step.name() + " is not within " + parent.name());
      }
    }
    return steps.stream().map(Recorded::name).toList();
  }
}
