package dev.askgateway.evals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The measures over a ranking of positions, best first. */
final class Rank {
  private Rank() {}

  /** Share of the gold in the first {@code k}. */
  static double recall(int[] ranked, Collection<Integer> gold, int k) {
    return (double) found(ranked, gold, k) / gold.size();
  }

  /** Share of the first {@code k} that is gold. */
  static double precision(int[] ranked, Collection<Integer> gold, int k) {
    return (double) found(ranked, gold, k) / k;
  }

  private static long found(int[] ranked, Collection<Integer> gold, int k) {
    Set<Integer> wanted = new HashSet<>(gold);
    return IntStream.of(ranked).limit(k).filter(wanted::contains).count();
  }

  static double reciprocal(int[] ranked, Collection<Integer> gold) {
    for (int i = 0; i < ranked.length; i++) {
      if (gold.contains(ranked[i])) {
        return 1.0 / (i + 1);
      }
    }
    return 0;
  }

  static double ndcg(int[] ranked, Collection<Integer> gold, int k) {
    Set<Integer> wanted = new HashSet<>(gold);
    double gain = IntStream.range(0, Math.min(k, ranked.length))
        .filter(i -> wanted.contains(ranked[i]))
        .mapToDouble(Rank::discount)
        .sum();
    double ideal = IntStream.range(0, Math.min(k, wanted.size()))
        .mapToDouble(Rank::discount)
        .sum();
    return gain / ideal;
  }

  private static double discount(int place) {
    return Math.log(2) / Math.log(place + 2.0);
  }

  /**
   * The positions in windows of a plain method: each hit opens the stretch around it inside its session
   * or widens those it touches; ends before the hit that would make one too many.
   */
  static Set<Integer> windows(
      int[] ranked, Conversation conversation, int around, int most, int depth) {
    List<int[]> windows = new ArrayList<>();
    for (int hit : IntStream.of(ranked).limit(depth).toArray()) {
      int[] window = stretch(conversation, hit, around);
      List<int[]> touching = windows.stream()
          .filter(other -> session(conversation, other[0]) == session(conversation, hit)
              && other[0] <= window[1] + 1
              && other[1] >= window[0] - 1)
          .toList();
      if (touching.isEmpty() && windows.size() == most) {
        break;
      }
      touching.forEach(other -> {
        window[0] = Math.min(window[0], other[0]);
        window[1] = Math.max(window[1], other[1]);
      });
      windows.removeAll(touching);
      windows.add(window);
    }
    Set<Integer> shown = new HashSet<>();
    windows.forEach(window -> IntStream.rangeClosed(window[0], window[1]).forEach(shown::add));
    return shown;
  }

  private static int[] stretch(Conversation conversation, int hit, int around) {
    int from = hit;
    int to = hit;
    int session = session(conversation, hit);
    while (from > 0 && hit - from < around && session(conversation, from - 1) == session) {
      from--;
    }
    while (to < conversation.turns().size() - 1
        && to - hit < around
        && session(conversation, to + 1) == session) {
      to++;
    }
    return new int[] {from, to};
  }

  private static int session(Conversation conversation, int position) {
    return conversation.turns().get(position).session();
  }

  static double coverage(Set<Integer> shown, Collection<Integer> gold) {
    return (double) gold.stream().distinct().filter(shown::contains).count() / gold.size();
  }

  /** Chance that a positive is over a negative; ties count half. */
  static double auroc(List<Double> positive, List<Double> negative) {
    double over = 0;
    for (double yes : positive) {
      for (double no : negative) {
        over += yes > no ? 1 : yes == no ? 0.5 : 0;
      }
    }
    return over / positive.size() / negative.size();
  }
}
