package dev.askgateway.load;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;

import io.gatling.javaapi.core.Assertion;
import java.util.ArrayList;
import java.util.List;

/**
 * What has to hold, or the run fails: times at the 95th percentile in milliseconds ({@code
 * -Dmax.retrieving}, {@code -Dmax.firstText}, {@code -Dmax.whole}), failures in percent of all requests
 * ({@code -Dmax.failed}). A request that never came fails as well.
 */
final class Bounds {
  private static final int RETRIEVING = Settings.whole("max.retrieving", 250);
  private static final int FIRST_TEXT = Settings.whole("max.firstText", 1_500);
  private static final int WHOLE = Settings.whole("max.whole", 5_000);
  private static final double FAILED = Settings.decimal("max.failed", 0);

  private Bounds() {}

  /** A streamed answer to a question: progress, first text, all of it. */
  static List<Assertion> asked(String name) {
    List<Assertion> all = new ArrayList<>(streamed(name));
    all.add(p95(name + " retrieving", RETRIEVING));
    return all;
  }

  /** A streamed completion, which has no progress. */
  static List<Assertion> streamed(String name) {
    return List.of(p95(name + " first text", FIRST_TEXT), whole(name));
  }

  static Assertion whole(String name) {
    return p95(name, WHOLE);
  }

  private static Assertion p95(String name, int millis) {
    return details(name).responseTime().percentile(95).lte(millis);
  }

  /** These and that no more fail than may. */
  static List<Assertion> all(List<Assertion> first, Assertion... more) {
    List<Assertion> all = new ArrayList<>(first);
    all.addAll(List.of(more));
    all.add(global().failedRequests().percent().lte(FAILED));
    return all;
  }
}
