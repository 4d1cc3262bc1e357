package dev.askgateway.retrieval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reciprocal rank fusion: an item gets weight / (k + rank) from each list that holds it, the first
 * rank being 1, and nothing from the others. Scores of different kinds are never compared.
 */
final class RankFusion {

  /** A ranked list without repeats, and what it counts. */
  record Ranking<T>(List<T> items, double weight) {}

  private RankFusion() {}

  /**
   * The items of all lists with their scores, the best first; ties keep the order in which the lists
   * name them.
   */
  static <T> Map<T, Double> fuse(int k, List<Ranking<T>> rankings) {
    Map<T, Double> scores = new LinkedHashMap<>();
    for (Ranking<T> ranking : rankings) {
      for (int i = 0; i < ranking.items().size(); i++) {
        scores.merge(ranking.items().get(i), ranking.weight() / (k + i + 1), Double::sum);
      }
    }
    List<Map.Entry<T, Double>> order = new ArrayList<>(scores.entrySet());
    order.sort(Comparator.comparing(Map.Entry<T, Double>::getValue).reversed()); // stable
    Map<T, Double> fused = new LinkedHashMap<>();
    order.forEach(entry -> fused.put(entry.getKey(), entry.getValue()));
    return fused;
  }
}
