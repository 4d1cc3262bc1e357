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

  /** The items of all lists, the best first; ties keep the order in which the lists name them. */
  static <T> List<T> fuse(int k, List<Ranking<T>> rankings) {
    Map<T, Double> scores = new LinkedHashMap<>();
    for (Ranking<T> ranking : rankings) {
      for (int i = 0; i < ranking.items().size(); i++) {
        scores.merge(ranking.items().get(i), ranking.weight() / (k + i + 1), Double::sum);
      }
    }
    List<Map.Entry<T, Double>> order = new ArrayList<>(scores.entrySet());
    order.sort(Comparator.comparing(Map.Entry<T, Double>::getValue).reversed()); // stable
    return order.stream().map(Map.Entry::getKey).toList();
  }
}
