package dev.askgateway.evals;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Means of what was measured, by method and category. */
final class Measures {
  static final String ALL = "all";
  private final Map<String, Map<String, Map<String, double[]>>> sums = new LinkedHashMap<>();

  void add(String method, String category, Map<String, Double> values) {
    for (String one : new String[] {category, ALL}) {
      values.forEach((measure, value) -> {
        double[] sum = sums.computeIfAbsent(method, key -> new TreeMap<>())
            .computeIfAbsent(one, key -> new LinkedHashMap<>())
            .computeIfAbsent(measure, key -> new double[2]);
        sum[0] += value;
        sum[1]++;
      });
    }
  }

  double mean(String method, String category, String measure) {
    double[] sum = sums.getOrDefault(method, Map.of())
        .getOrDefault(category, Map.of())
        .getOrDefault(measure, new double[2]);
    return sum[0] / sum[1];
  }

  String table() {
    StringBuilder table = new StringBuilder();
    sums.forEach((method, categories) -> {
      StringBuilder head = new StringBuilder("%-14s %-22s %5s".formatted(method, "", "n"));
      categories.get(ALL).keySet().forEach(measure -> head.append(" %8s".formatted(measure)));
      table.append('\n').append(head).append('\n');
      categories.forEach((category, measures) -> {
        double[] any = measures.values().iterator().next();
        table.append("%-14s %-22s %5d".formatted("", category, (int) any[1]));
        measures
            .values()
            .forEach(sum -> table.append(" %8s".formatted("%.3f".formatted(sum[0] / sum[1]))));
        table.append('\n');
      });
    });
    return table.toString();
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    sums.forEach((method, categories) -> {
      JsonObject ofMethod = new JsonObject();
      categories.forEach((category, measures) -> {
        JsonObject means = new JsonObject();
        measures.forEach((measure, sum) -> means
            .put("n", (int) sum[1])
            .put(measure, Double.valueOf(String.format(Locale.ROOT, "%.4f", sum[0] / sum[1]))));
        ofMethod.put(category, means);
      });
      json.put(method, ofMethod);
    });
    return json;
  }
}
