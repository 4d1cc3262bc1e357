package dev.askgateway.evals.scale;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;

/** How long things took, in milliseconds. */
public record Spread(double p50, double p95, double p99, int count) {

  /** Of times in nanoseconds, in any order. */
  public static Spread of(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Spread(at(sorted, 50), at(sorted, 95), at(sorted, 99), sorted.length);
  }

  /** The smallest that so many of a hundred do not pass. */
  private static double at(long[] sorted, int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)] / 1e6;
  }

  public JsonObject toJson() {
    return new JsonObject().put("p50", p50).put("p95", p95).put("p99", p99).put("n", count);
  }

  @Override
  public String toString() {
    return "%7.1f %7.1f %7.1f".formatted(p50, p95, p99);
  }
}
