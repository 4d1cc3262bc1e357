package dev.askgateway.retrieval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RankFusionTest {

  private static <T> RankFusion.Ranking<T> list(List<T> items) {
    return new RankFusion.Ranking<>(items, 1);
  }

  private static <T> List<T> fuse(int k, List<RankFusion.Ranking<T>> lists) {
    return new ArrayList<>(RankFusion.fuse(k, lists).keySet());
  }

  @Test
  @DisplayName("an item of both lists comes first, and absent items get nothing from a list")
  void bothListsFirst() {
    List<String> fused =
        fuse(60, List.of(list(List.of("X", "a", "Y")), list(List.of("Y", "b", "c"))));
    assertThat(fused).containsExactly("Y", "X", "a", "b", "c");
    assertThat(fuse(60, List.of(list(List.of("X", "a", "Y")), list(List.of("b", "c", "Y")))))
        .containsExactly("Y", "X", "b", "a", "c");
  }

  @Test
  @DisplayName(
      "of one list, all better ranks are in whenever a rank is, if the other list is disjoint")
  void noGaps() {
    Random random = new Random(10);
    for (int round = 0; round < 500; round++) {
      List<Integer> all = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
      Collections.shuffle(all, random);
      List<Integer> one = all.subList(0, 100);
      List<Integer> other = all.subList(100, 200);
      List<Integer> top =
          fuse(1 + random.nextInt(100), List.of(list(one), list(other))).subList(0, 20);
      for (List<Integer> list : List.of(one, other)) {
        int worst = top.stream().mapToInt(list::indexOf).max().orElse(-1);
        assertThat(top).containsAll(list.subList(0, worst + 1));
      }
    }
  }

  @Test
  @DisplayName("an item that is better in every list is never behind")
  void monotone() {
    Random random = new Random(11);
    for (int round = 0; round < 500; round++) {
      List<Integer> one = new ArrayList<>(IntStream.range(0, 30).boxed().toList());
      List<Integer> other = new ArrayList<>(one);
      Collections.shuffle(one, random);
      Collections.shuffle(other, random);
      List<Integer> fused = fuse(60, List.of(list(one), new RankFusion.Ranking<>(other, 0.5)));
      for (int i = 1; i < fused.size(); i++) {
        int better = fused.get(i - 1);
        int worse = fused.get(i);
        assertThat(one.indexOf(worse) < one.indexOf(better)
                && other.indexOf(worse) < other.indexOf(better))
            .isFalse();
      }
      assertThat(fused).containsExactlyInAnyOrderElementsOf(one);
    }
  }
}
